/**
 * A file name as it is shown. Characters that change the direction of the following text are made visible: with them,
 * `invoice\u202efdp.exe` would be shown as `invoiceexe.pdf`.
 */
export function visibleFileName(name: string): string {
  return name.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}
