/**
 * A file name as it is shown. Characters that change the direction of the following text are made visible: with them,
 * `invoice\u202efdp.exe` would be shown as `invoiceexe.pdf`.
 */
export function visibleFileName(name: string): string {
  return name.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}

/** Returns what the name of a file tells. The DMS does not always store its type. */
export function fileKindOf(name: string) {
  const extension = /\.([a-z\d]{1,5})$/i.exec(name)?.[1]?.toUpperCase() ?? '';
  const isImage = ['AVIF', 'BMP', 'GIF', 'JPEG', 'JPG', 'PNG', 'WEBP'].includes(extension);
  return { extension, isImage, isPreviewed: isImage || extension === 'PDF' };
}
