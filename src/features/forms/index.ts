import { resolve } from 'node:path';
import { suggestionFor } from '../../config/read-config.ts';
import { onOff } from '../../config/setting-parsers.ts';
import { isRecord } from '../../model/common.ts';
import type { FormsConfig } from '../../model/form.ts';
import { defineFeature } from '../../server/feature.ts';

export const forms = defineFeature({
  name: 'forms',
  settings: {
    validateValues: onOff(
      'VALIDATE_VALUES',
      false,
      'Check `values` of inputs against the declared forms. Requires declared forms.',
      'to on, if clients write `values` themselves',
    ),
  },
  options: { forms: formsProblem },
  async schema({ validateValues }, { options, directory, sandboxForms, dependOn, warn }) {
    const given = options['forms'] as FormsConfig | undefined;
    const config = given === undefined ? null : { ...given, file: resolve(directory, given.file) };
    if (config !== null) dependOn(config.file);
    const ofSandbox = config === null ? await sandboxForms() : null;
    if (config !== null || ofSandbox !== null) {
      const { readForms } = await import('./read-forms.ts');
      const forms = readForms(config, ofSandbox, validateValues);
      // With a wrong account, the DMS lists none.
      if (forms.typed.length === 0) {
        warn('no form has fields, so none is typed', { file: config?.file });
      }
      return { provides: { forms } };
    }
    if (validateValues) throw new Error('VALIDATE_VALUES=on needs the option `forms`');
    return null;
  },
});

const formsKeys: Readonly<Record<keyof FormsConfig, (value: unknown) => boolean>> = {
  file: isText,
  names: isTexts,
  types: isTexts,
  documentProperty: isText,
};

function formsProblem(value: unknown): string | null {
  if (!isRecord(value)) return 'must be an object';
  const problems = Object.entries(value).flatMap(([key, option]) => {
    if (!Object.hasOwn(formsKeys, key)) {
      return `has no option \`${key}\`${suggestionFor(key, Object.keys(formsKeys))}`;
    }
    const isValid = option === undefined || formsKeys[key as keyof FormsConfig](option);
    return isValid ? [] : `has an invalid \`${key}\``;
  });
  if (problems.length === 0 && value['file'] === undefined) {
    return 'needs `file`, the path of a file with forms';
  }
  return problems.length === 0 ? null : problems.join('; it ');
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isTexts(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isText);
}
