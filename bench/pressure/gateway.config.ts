/** The forms of the documents of `dms.ts`. Their custom field has the type `docForms`. */
export default {
  forms: { file: 'forms.json', types: { docForms: '[Document]' } },
};
