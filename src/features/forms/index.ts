import { onOff } from '../../config/setting-parsers.ts';
import { defineFeature } from '../../server/feature.ts';

/** Adds the types of declared forms to the schema. docs/forms.md describes it. */
export const forms = defineFeature({
  name: 'forms',
  settings: {
    validateValues: onOff(
      'VALIDATE_VALUES',
      false,
      'Check `values` of inputs against the declared forms. Requires declared forms.',
    ),
  },
  declareForms({ validateValues }, { forms: config = null, sandboxForms }) {
    if (config !== null || sandboxForms !== null) {
      return import('./read-forms.ts').then(({ readForms }) =>
        readForms(config, sandboxForms, validateValues),
      );
    }
    if (validateValues) throw new Error('VALIDATE_VALUES=on needs the option `forms`');
    return null;
  },
});
