import { readFileSync, statSync } from 'node:fs';
import type { DeclaredForms, Form } from './model/form.ts';
import { formFromWire } from './rest/wire/form.ts';
import { defineForms, type FormOptions } from './schema/forms/define-forms.ts';
import { schema } from './schema/index.ts';
import { messageOf } from './model/common.ts';

/** The forms that become types: the option `forms` of the configuration. */
export interface FormsConfig extends FormOptions {
  /**
   * Path of a JSON file with the forms as the DMS lists them, which `dms-graphql-gateway forms` writes. Relative to the
   * configuration file, or to the working directory where an object is the configuration: `createResolvers`,
   * `startGateway`, `printSchemaOf`.
   */
  readonly file: string;
}

const maxFileBytes = 8 * 2 ** 20;

/** What the embedded sandbox's own forms mean. Its README describes them. */
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

/**
 * Reads the declared forms. Null if there are none. Those of a configuration depend on it alone, so that they are the same
 * with every DMS.
 *
 * @param sandboxForms the forms of the embedded sandbox, as it lists them, which are declared if the configuration has
 * none. Null for any other DMS.
 * @throws naming the file and every problem
 */
export function readForms(
  config: FormsConfig | undefined,
  sandboxForms: readonly unknown[] | null,
  validatesValues: boolean,
): DeclaredForms | null {
  if (config === undefined && sandboxForms === null) {
    if (validatesValues) throw new Error('VALIDATE_VALUES=on needs the option `forms`');
    return null;
  }
  try {
    const forms = formsFrom(config === undefined ? sandboxForms : contentOf(config.file));
    return { ...defineForms(forms, config ?? sandboxOptions, schema), validatesValues };
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
