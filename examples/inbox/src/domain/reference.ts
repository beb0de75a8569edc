/** Stands before a text that names no object yet. No ID has a control character. */
const mark = '\0';

const types: ReadonlySet<string> = new Set(['crmOrg', 'docForm', 'docForms', 'person']);

export function isReference(type: string): boolean {
  return types.has(type);
}

/** Splits the value of a field of references into IDs, and the text that the user has typed and that names no object yet. */
export function readReference(value: string): { readonly ids: string; readonly typed: string } {
  const end = value.indexOf(mark);
  return end < 0
    ? { ids: value, typed: '' }
    : { ids: value.slice(0, end), typed: value.slice(end + 1) };
}

export function typedReference(text: string): string {
  const typed = text.replaceAll(mark, '');
  return typed.trim() === '' ? '' : mark + typed;
}
