/** The content of a PDF. Equal content results in equal bytes, so that ranges of several requests fit together. */
export interface PdfContent {
  readonly title: string;
  /** Creation date of the file, in ISO 8601. */
  readonly created: string;
  readonly pages: readonly string[];
}

/**
 * Renders a PDF whose pages contain the texts as selectable text. The standard fonts support only Windows-1252. Other
 * characters are rendered as `?`; the text call returns all of them.
 */
export async function renderPdf({ title, created, pages }: PdfContent): Promise<Buffer> {
  // Imported on first use, because it takes longer to load than the sandbox takes to start.
  const { default: PdfDocument } = await import('pdfkit');
  const pdf = new PdfDocument({
    size: 'A4',
    margin: 56,
    autoFirstPage: false,
    info: { Title: title, Producer: 'DMS sandbox', CreationDate: new Date(created) },
  });
  const chunks: Buffer[] = [];
  const finished = new Promise<void>((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', resolve);
    pdf.on('error', reject);
  });
  pdf.font('Helvetica').fontSize(10);
  for (const page of pages.length === 0 ? [''] : pages) {
    pdf.addPage();
    pdf.text(inWindows1252(page), { lineGap: 2 });
  }
  pdf.end();
  await finished;
  return Buffer.concat(chunks);
}

function inWindows1252(text: string): string {
  return text.replace(
    /[^\n\x20-\x7e\u00a0-\u00ff\u20ac\u2013\u2014\u2018-\u201e\u2022\u2026]/gu,
    '?',
  );
}
