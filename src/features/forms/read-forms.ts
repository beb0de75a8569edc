import { readFileSync, statSync } from 'node:fs';
import type { DeclaredForms, Form, FormOptions, FormsConfig } from '../../model/form.ts';
import { formFromWire } from '../../rest/index.ts';
import type { ExtensionBuilder, SchemaForms, SchemaRefs } from '../../schema/extend.ts';
import { defineForms } from './define-forms.ts';
import { addFormInputs } from './inputs.ts';
import { addLabels } from './labels.ts';
import { addFormTypes } from './output.ts';
import { createValueRules } from './typed-input.ts';
import { formScalars } from './value-formats.ts';
import { schema } from '../../schema/index.ts';
import { messageOf } from '../../model/common.ts';

const maxFileBytes = 8 * 2 ** 20;

const sandboxOptions: FormOptions = {
  documentProperty: 'form',
  types: {
    date: 'Date',
    docForm: 'Document',
    docForms: '[Document]',
    listValue: 'ListValue',
    number: 'Decimal',
    person: 'Person',
    table: 'Table',
  },
};

/** Reads the declared forms. Those of a configuration depend on it alone, so that they are the same with every DMS. */
export function readForms(
  config: FormsConfig | null,
  sandboxForms: readonly unknown[] | null,
  validatesValues: boolean,
): SchemaForms {
  try {
    const content = formsFrom(config === null ? sandboxForms : contentOf(config.file));
    const declared = defineForms(content, config ?? sandboxOptions, schema);
    const forms: DeclaredForms = { ...declared, validatesValues };
    return {
      ...forms,
      valueRules: createValueRules(forms),
      extendSchema: (builder, refs) => addForms(forms, builder, refs),
    };
  } catch (error) {
    const source = config?.file ?? 'The sandbox';
    throw new Error(`${source} has no valid forms:\n${messageOf(error)}`, { cause: error });
  }
}

function contentOf(file: string): unknown {
  const stats = statSync(file);
  if (!stats.isFile()) throw new Error('It is not a file.');
  if (stats.size > maxFileBytes) throw new Error(`It has more than ${maxFileBytes} bytes.`);
  return JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')); // some editors write this mark
}

function formsFrom(content: unknown): Form[] {
  if (!Array.isArray(content)) throw new Error('It is not a list of forms.');
  return content.map((item: unknown, index) => {
    try {
      return formFromWire(item, '');
    } catch (cause) {
      throw new Error(`Entry ${index} is not a form with \`_id\`.`, { cause });
    }
  });
}

function addForms(forms: DeclaredForms, extended: ExtensionBuilder, refs: SchemaRefs): void {
  for (const scalar of Object.values(formScalars)) {
    extended.addScalarType(scalar.name as never, scalar);
  }
  addFormTypes(forms, extended, refs);
  addLabels(forms, extended, refs);
  addFormInputs(forms, extended);
}
