import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { HttpExchange } from '../../http/http-exchange.ts';
import { send } from '../../http/respond.ts';
import { readExamples } from './examples.ts';

/** What the page shows besides GraphiQL. */
export interface PlaygroundOptions {
  /** Whether the gateway executes only persisted documents. The page then has no examples. */
  readonly persistedOnly: boolean;
  /** Whether the page can request the upstream calls of an operation. */
  readonly upstreamTrace: boolean;
  /** Whether /sandbox/people exists. */
  readonly hasPeople: boolean;
}

interface Page {
  readonly html: Buffer;
  readonly policy: string;
}

const firstQuery = `# Reads the inbox with one query.
# Press Ctrl+Enter to run it.
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

/** The modules of the page, each before those that import it. */
const modules = [
  'storage.js',
  'results.js',
  'people.js',
  'fetcher.js',
  'examples.js',
  'rest-calls.js',
  'main.js',
];

/** The page for each combination of options. */
const pages = new Map<string, Promise<Page>>();

/** Whether the request is a browser's request for a page. */
export function wantsPlayground({ req }: HttpExchange): boolean {
  return req.method === 'GET' && (req.headers.accept?.includes('text/html') ?? false);
}

/**
 * Serves GraphiQL with the gateway's toolbar as a single page without external resources. The page of 9 MB is rendered,
 * compressed and cached on the first request. Its content security policy allows only its own scripts.
 */
export async function sendPlayground(
  exchange: HttpExchange,
  options: PlaygroundOptions,
): Promise<void> {
  const { persistedOnly, upstreamTrace, hasPeople } = options;
  const key = [persistedOnly, upstreamTrace, hasPeople].join();
  let page = pages.get(key);
  if (page === undefined) {
    page = makePage(options);
    pages.set(key, page);
    page.catch(() => pages.delete(key)); // failures are not cached
  }
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

async function makePage(options: PlaygroundOptions): Promise<Page> {
  const [graphiql, template, style, script, examples] = await Promise.all([
    import('@graphql-yoga/render-graphiql/graphiql'),
    readAsset('page.html'),
    readAsset('page.css'),
    readScript(),
    options.persistedOnly ? [] : readExamples(),
  ]);
  // The flag exposes Monaco as a global. It is read when the library is loaded.
  const library = `globalThis.MonacoEnvironment = { globalAPI: true };\n${graphiql.js}`;
  const { editorWorkerService, jsonWorker, graphqlWorker } = graphiql;
  const data = {
    persistedOnly: options.persistedOnly,
    upstreamTrace: options.upstreamTrace,
    hasPeople: options.hasPeople,
    examples,
    firstQuery: options.persistedOnly ? persistedOnlyNote : firstQuery,
    workers: { editorWorkerService, json: jsonWorker, graphql: graphqlWorker },
  };
  // In a script element, `</script` and `<!--` have a meaning.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  const scripts = [
    `<script type="application/json" id="data">${json}</script>`,
    `<script>${library}</script>`,
    `<script type="module">${script}</script>`,
  ].join('\n');
  // The replacements are functions, because `$` has a meaning in text.
  const html = template
    .replace('<!-- style -->', () => `<style>${graphiql.css}\n${style}</style>`)
    .replace('<!-- scripts -->', () => scripts);
  const policy = [
    "default-src 'none'",
    `script-src ${[library, script].map(hashSource).join(' ')} blob:`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    'worker-src blob:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { html: await promisify(gzip)(html, { level: 4 }), policy };
}

/**
 * Joins the modules of the page into one. An inline script cannot import, and a script with a URL would need a wider
 * content security policy.
 */
async function readScript(): Promise<string> {
  const texts = await Promise.all(modules.map(readAsset));
  return texts.join('\n').replaceAll(/^import [^;]*;\n|^export /gm, '');
}

function readAsset(name: string): Promise<string> {
  return readFile(new URL(`page/${name}`, import.meta.url), 'utf8');
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
