import { download } from '../http/response.ts';
import type { Handler } from '../http/handler.ts';
import { param } from '../http/handler.ts';
import { integerIn } from '../http/query-parameters.ts';
import { renderPdf } from '../pdf.ts';
import { notFound } from '../problem.ts';
import type { Service } from '../service.ts';
import { seeDocument } from '../store/documents.ts';
import { attachmentsOf } from '../store/files.ts';
import { pageTextsOf } from '../store/recognition.ts';

/** GET idp/{id}/text: one page, or all pages separated by form feeds. `X-Total-Count` is the number of pages. */
export function getText({ db }: Service): Handler {
  return (context) => {
    const page = integerIn(context.query, 'page', 0, 2147483646);
    const document = seeDocument(db, context.caller, param(context, 'id'));
    const pages = recognizedPages(db, document.id);
    const text = page === null ? pages.join('\f') : pages[page];
    if (text === undefined) throw notFound('The document has no such page.');
    return {
      status: 200,
      headers: {
        'Content-Type': 'text/plain;charset=UTF-8',
        'X-Total-Count': String(pages.length),
      },
      body: text,
    };
  };
}

/** GET idp/{id}/pdf: the recognized content with a text layer, named after the first attachment. */
export function getPdf({ db }: Service): Handler {
  return async (context) => {
    const document = seeDocument(db, context.caller, param(context, 'id'));
    const pages = recognizedPages(db, document.id);
    const name = attachmentsOf(db, document.id)[0]?.fileName ?? document.webId;
    const title = name.replace(/\.[^.]*$/, '');
    const pdf = await renderPdf({ title, created: document.created, pages });
    return download(`${title}.pdf`, pdf, 'application/pdf');
  };
}

function recognizedPages(db: Service['db'], documentId: string): string[] {
  const pages = pageTextsOf(db, documentId);
  if (pages.length === 0) throw notFound('The document has no recognized content.');
  return pages;
}
