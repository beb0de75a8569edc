/** Stands before a text that names no object yet. No ID has a control character. */
const mark = '\0';

/** Splits the value of a field of references into IDs, and the text that the user has typed and that names no object yet. */
export function readReference(value: string): { readonly ids: string; readonly typed: string } {
  const [ids = '', typed = ''] = value.split(mark);
  return { ids, typed };
}

export function typedReference(text: string): string {
  return text === '' ? '' : mark + text;
}
