import type { DeclaredForms } from '../../model/typed-form.ts';
import type { SchemaExtension } from '../extend.ts';
import { addFormInputs } from './inputs.ts';
import { addLabels } from './labels.ts';
import { addFormTypes } from './output.ts';
import { formScalars } from '../input/value-formats.ts';

/** Adds the types and fields of declared forms to the schema. Field names and types are those of `defineForms`. */
export function formExtension(forms: DeclaredForms): SchemaExtension {
  return (builder, refs) => {
    for (const scalar of Object.values(formScalars)) {
      builder.addScalarType(scalar.name as never, scalar);
    }
    addFormTypes(forms, builder, refs);
    addLabels(forms, builder, refs);
    addFormInputs(forms, builder);
  };
}
