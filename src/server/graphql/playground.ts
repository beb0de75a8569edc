import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { HttpExchange } from '../http/http-exchange.ts';
import { send } from '../http/respond.ts';

interface Page {
  readonly html: Buffer;
  readonly policy: string;
}

const title = 'DMS gateway';
const firstQuery = `# Reads the inbox with one query. Press Ctrl+Enter to run it.
query Inbox {
  documents(view: INBOX, first: 5) {
    totalCount
    nodes {
      shortId
      author {
        ... on Person { fullName }
      }
      files { name url }
    }
  }
}
`;

const persistedOnlyNote = `# This gateway executes only persisted documents (PERSISTED_ONLY=on).
# It rejects every query that is written here with FORBIDDEN, and so the query by which
# the playground reads the schema: there is no documentation and no completion.
#
# To explore the schema, start a gateway with PERSISTED_ONLY=off.
`;

/** The page for each value of PERSISTED_ONLY. */
const pages = new Map<boolean, Promise<Page>>();

/** Whether the request is a browser's request for a page. */
export function wantsPlayground({ req }: HttpExchange): boolean {
  return req.method === 'GET' && (req.headers.accept?.includes('text/html') ?? false);
}

/**
 * Serves GraphiQL as a single page without external resources. The page of 9 MB is rendered, compressed and cached on
 * the first request. Its content security policy allows only its own scripts.
 */
export async function sendPlayground(
  exchange: HttpExchange,
  persistedOnly: boolean,
): Promise<void> {
  const page = pages.get(persistedOnly) ?? makePage(persistedOnly);
  pages.set(persistedOnly, page);
  const { html, policy } = await page;
  send(
    exchange,
    200,
    {
      'content-type': 'text/html; charset=utf-8',
      'content-encoding': 'gzip', // supported by every browser
      'content-security-policy': policy,
    },
    html,
  );
}

async function makePage(persistedOnly: boolean): Promise<Page> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const html = renderGraphiQL({
    title,
    defaultQuery: persistedOnly ? persistedOnlyNote : firstQuery,
  });
  const policy = [
    "default-src 'none'",
    `script-src ${scriptHashes(html).join(' ')} blob:`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    'worker-src blob:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { html: await promisify(gzip)(html), policy };
}

function scriptHashes(html: string): string[] {
  const scripts = html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g);
  return [...scripts].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );
}
