import type { DeclaredForms } from '../../model/form.ts';
import type { ExtensionBuilder, SchemaRefs } from '../../schema/extend.ts';
import { formScalars } from './value-formats.ts';
import { addFormInputs } from './inputs.ts';
import { addLabels } from './labels.ts';
import { addFormTypes } from './output.ts';

export function addForms(forms: DeclaredForms, extended: ExtensionBuilder, refs: SchemaRefs): void {
  for (const scalar of Object.values(formScalars)) {
    extended.addScalarType(scalar.name as never, scalar);
  }
  addFormTypes(forms, extended, refs);
  addLabels(forms, extended, refs);
  addFormInputs(forms, extended);
}
