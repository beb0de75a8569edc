import { createRequire } from 'node:module';

/** The content of a PDF. Equal content results in equal bytes, so that ranges of several requests fit together. */
export interface PdfContent {
  readonly title: string;
  /** Creation date of the file, in ISO 8601. */
  readonly created: string;
  readonly pages: readonly string[];
}

/**
 * Renders a PDF whose pages contain the texts as selectable text. The standard font, which every viewer has, supports only
 * Windows-1252. Pages with other characters embed those that they use of a font with Latin, Greek, Cyrillic and Japanese.
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
  pdf.fontSize(10);
  const unicodeFont = pathOfUnicodeFont();
  const options = { lineGap: 2 };
  for (const page of pages.length === 0 ? [''] : pages) {
    pdf.addPage();
    const standard = page.replaceAll(outsideWindows1252, '?');
    if (unicodeFont === null || standard === page) pdf.font('Helvetica').text(standard, options);
    else pdf.font(unicodeFont).text(page, options);
  }
  pdf.end();
  await finished;
  return Buffer.concat(chunks);
}

const outsideWindows1252 =
  /[^\n\x20-\x7e\u00a0-\u00ff\u20ac\u2013\u2014\u2018-\u201e\u2022\u2026]/gu;

/** Null in a project that has installed only pdfkit. The licence of the font is the SIL Open Font License 1.1. */
function pathOfUnicodeFont(): string | null {
  try {
    const require = createRequire(import.meta.url);
    return require.resolve('@expo-google-fonts/m-plus-rounded-1c/400Regular/MPLUSRounded1c_400Regular.ttf');
  } catch {
    return null;
  }
}
