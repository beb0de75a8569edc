import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { printSchema, type GraphQLSchema, parse, type OperationTypeNode, validate } from 'graphql';
import type { GatewayOptions } from '../../options.ts';
import { unknownPath } from '../../errors/http-error.ts';
import {
  createStaticFile,
  immutable,
  loadOnce,
  sendFile,
  type StaticFile,
} from '../../http/front-end.ts';
import type { HttpExchange } from '../../http/http-exchange.ts';

/** What the page shows besides GraphiQL. */
export interface PlaygroundOptions extends Pick<
  GatewayOptions,
  'persistedOnly' | 'upstreamTrace' | 'introspection'
> {
  /** Whether /sandbox/people exists. */
  readonly hasPeople: boolean;
  /** Whether a front end is served at /. */
  readonly hasInbox: boolean;
}

/** The page of a gateway, and the scripts and styles that all pages share. */
export type Playground = ReturnType<typeof createPlayground>;

/** Where the page finds its files. The page refers to them relative to /graphql, so that a proxy can add a prefix. */
export const playgroundAssetsPath = '/graphql/assets/';

/** A file of the page. */
interface Asset {
  /** URL relative to /graphql. */
  readonly url: string;
  /** The hash for `integrity` and for the content security policy. */
  readonly integrity: string;
  /** Compressed when it is requested for the first time. */
  readonly load: () => Promise<StaticFile>;
}

type AssetName = 'graphiql.js' | 'page.js' | 'style.css' | `${WorkerLabel}.js`;

/** The labels by which Monaco requests its workers. */
type WorkerLabel = 'editorWorkerService' | 'json' | 'graphql';

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
  'people.js',
  'fetcher.js',
  'examples.js',
  'rest-calls.js',
  'main.js',
];

/** The files of the page. They do not depend on the settings, and are read with the first request for the page. */
const loadAssets = loadOnce(readAssets);

/**
 * Creates the handlers of GraphiQL with the gateway's toolbar. Nothing is loaded before `load` or the first request for the
 * page: the library has 9 MB.
 * The content security policy of the page allows only its own scripts, by their hashes.
 */
export function createPlayground(
  options: PlaygroundOptions,
  loadSchema: () => Promise<GraphQLSchema>,
) {
  const load = loadOnce(() => makePage(options, loadSchema));
  return {
    /** Prepares the page, which takes half a second, so that the first visitor does not wait. */
    load,
    /** Sends the page. Browsers revalidate it on each visit. */
    async sendPage(exchange: HttpExchange): Promise<void> {
      const { file, policy } = await load();
      sendFile(exchange, file, {
        'cache-control': 'no-cache',
        'content-security-policy': policy,
        vary: 'accept, accept-encoding', // /graphql has other responses for clients that are not browsers
      });
    },
    /**
     * Sends a file whose path starts with `playgroundAssetsPath`. Its name contains its hash, so browsers keep it.
     * Rejects with an HttpError: 404 for an unknown file.
     */
    async sendAsset(exchange: HttpExchange, path: string): Promise<void> {
      const asset = [...(await loadAssets()).values()].find(({ url }) => `/${url}` === path);
      if (asset === undefined) throw unknownPath();
      sendFile(exchange, await asset.load(), { 'cache-control': immutable });
    },
  };
}

interface Page {
  readonly file: StaticFile;
  readonly policy: string;
}

async function makePage(
  options: PlaygroundOptions,
  loadSchema: () => Promise<GraphQLSchema>,
): Promise<Page> {
  const { persistedOnly, upstreamTrace, hasPeople, hasInbox } = options;
  const [files, schema, template, examples] = await Promise.all([
    loadAssets(),
    loadSchema(),
    readAsset('page.html'),
    persistedOnly ? [] : readExamples(),
  ]);
  const isReadable = options.introspection && !persistedOnly;
  const asset = (name: AssetName): Asset => files.get(name)!;
  const data = {
    persistedOnly,
    upstreamTrace,
    hasPeople,
    hasInbox,
    // Those of the sandbox's forms are for a gateway that knows these forms.
    examples: examples.filter(
      ({ group, query }) => group !== 'Typed forms' || validate(schema, parse(query)).length === 0,
    ),
    firstQuery: persistedOnly ? persistedOnlyNote : firstQuery,
    // Identifies the result by which GraphiQL reads the schema, so that browsers can store it.
    schemaHash: isReadable ? hashOf(printSchema(schema) + asset('graphiql.js').url) : null,
    workers: {
      editorWorkerService: asset('editorWorkerService.js').url,
      json: asset('json.js').url,
      graphql: asset('graphql.js').url,
    },
  };
  // In a script element, `</script` and `<!--` have a meaning.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  const [library, script] = [asset('graphiql.js'), asset('page.js')];
  const scripts = [
    `<script type="application/json" id="data">${json}</script>`,
    `<script defer src="${library.url}" integrity="${library.integrity}"></script>`,
    `<script type="module" src="${script.url}" integrity="${script.integrity}"></script>`,
  ].join('\n');
  // The replacements are functions, because `$` has a meaning in text.
  const html = template
    .replace('<!-- style -->', () => `<link rel="stylesheet" href="${asset('style.css').url}" />`)
    .replace('<!-- scripts -->', () => scripts);
  const policy = [
    "default-src 'none'",
    `script-src '${library.integrity}' '${script.integrity}'`,
    "style-src 'self' 'unsafe-inline'", // the editor positions its lines with style elements
    'img-src data:',
    'font-src data:',
    "worker-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { file: await createStaticFile('page.html', Buffer.from(html)), policy };
}

async function readAssets(): Promise<ReadonlyMap<AssetName, Asset>> {
  const [graphiql, style, script] = await Promise.all([
    import('@graphql-yoga/render-graphiql/graphiql'),
    readAsset('page.css'),
    readScript(),
  ]);
  const texts: Record<AssetName, string> = {
    // The flag exposes Monaco as a global. It is read when the library is loaded.
    'graphiql.js': `globalThis.MonacoEnvironment = { globalAPI: true };\n${graphiql.js}`,
    'page.js': script,
    'style.css': `${withoutTextFonts(graphiql.css)}\n${style}`,
    'editorWorkerService.js': graphiql.editorWorkerService,
    'json.js': graphiql.jsonWorker,
    'graphql.js': graphiql.graphqlWorker,
  };
  const names = Object.keys(texts) as AssetName[];
  return new Map(names.map((name) => [name, createAsset(name, texts[name])]));
}

function createAsset(name: AssetName, text: string): Asset {
  const hash = createHash('sha256').update(text).digest();
  let file: Promise<StaticFile> | null = null;
  return {
    url: `graphql/assets/${name.replace('.', `-${hash.toString('base64url').slice(0, 12)}.`)}`,
    integrity: `sha256-${hash.toString('base64')}`,
    load: () => (file ??= createStaticFile(name, Buffer.from(text))),
  };
}

/** Removes the fonts for text, half of the style sheet. The page uses those of the system. */
function withoutTextFonts(css: string): string {
  return css.replaceAll(/@font-face\{[^}]*font-family:(?:Roboto|Fira Code);[^}]*\}/g, '');
}

/** Joins the modules of the page into one file, which has one hash. */
async function readScript(): Promise<string> {
  const texts = await Promise.all(modules.map(readAsset));
  return texts.join('\n').replaceAll(/^import [^;]*;\n|^export /gm, '');
}

function readAsset(name: string): Promise<string> {
  return readFile(new URL(`page/${name}`, import.meta.url), 'utf8');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** The headings of the examples, in order. */
const groups = ['Read', 'Nested', 'Typed forms', 'Write', 'Live', 'Deferred'] as const;

/** An operation to copy, as the playground shows it. */
export interface Example {
  /** Name of the operation. */
  readonly name: string;
  /** The comment above the operation, on one line. */
  readonly description: string;
  readonly group: (typeof groups)[number];
  readonly type: OperationTypeNode;
  readonly query: string;
  /** The variables as JSON text. Empty if the operation needs none. */
  readonly variables: string;
}

const folder = new URL('../../../../examples/', import.meta.url);

/**
 * Reads the operations of the folder `examples`, by group and then in the order of their file names. Each file has one
 * operation, and its variables are in a JSON file of the same name. Empty if the folder is not installed.
 */
export async function readExamples(): Promise<readonly Example[]> {
  const names = await readdir(folder).catch(ignoreMissing);
  const queries = (names ?? []).filter((name) => name.endsWith('.graphql')).toSorted();
  const examples = await Promise.all(queries.map(readExample));
  return examples.toSorted((one, other) => groups.indexOf(one.group) - groups.indexOf(other.group));
}

async function readExample(name: string): Promise<Example> {
  const text = await readFile(new URL(name, folder), 'utf8');
  const variables = await readFile(new URL(name.replace(/graphql$/, 'json'), folder), 'utf8').catch(
    ignoreMissing,
  );
  const operation = parse(text).definitions.find((one) => one.kind === 'OperationDefinition');
  if (operation?.name === undefined) throw new Error(`${name} has no operation with a name`);
  const [comment = ''] = /^(?:#.*\n)+/.exec(text) ?? [];
  return {
    name: operation.name.value,
    description: comment.replaceAll(/^# ?/gm, '').replaceAll('`', '').trim().replaceAll('\n', ' '),
    group: name.includes('typed-forms') ? 'Typed forms' : groupOf(operation.operation, text),
    type: operation.operation,
    query: text,
    variables: variables ?? '',
  };
}

function groupOf(type: OperationTypeNode, text: string): Example['group'] {
  if (type === 'mutation') return 'Write';
  if (type === 'subscription') return 'Live';
  if (/@(?:defer|stream)\b/.test(text)) return 'Deferred';
  // An object in an object in a list or an object.
  return / {8}\w.*\{\n/.test(text) ? 'Nested' : 'Read';
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
