import { randomUUID } from 'node:crypto';
import type { GraphQLSchema } from 'graphql';
import { beforeAll, onTestFinished } from 'vitest';
import { startSandbox, type Sandbox } from '../../sandbox/index.ts';
import { features } from '../../src/features/index.ts';
import { readConfig, type Settings } from '../../src/features/settings.ts';
import {
  featureOf,
  openSchemaOf,
  type TeamConfig,
  type TeamPlugin,
} from '../../src/gateway-config.ts';
import { HttpClient, type HttpClientOptions } from '../../src/rest/client/http-client.ts';
import { createGateway } from '../../src/server/gateway.ts';
import type { GraphQLDependencies } from '../../src/server/graphql/yoga.ts';
import { mockOrigin } from '../../src/testing/mock-dms.ts';
import { openFeatures, type Feature, type Host } from '../../src/server/feature.ts';
import { listen } from '../../src/server/http/listen.ts';
import { createLog } from '../../src/server/telemetry/log.ts';
import { createMetrics, type Metrics } from '../../src/server/telemetry/metrics.ts';
import { executionOptions } from './execution-mode.ts';
import { createMockDms, testHttpOptions, type MockDms } from './mock-dms.ts';
import { multipart, multipartHeaders, type Part } from './multipart-request.ts';

/** A response of /graphql. */
interface GatewayResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly data: Data;
  readonly errors: readonly GatewayResponseError[] | undefined;
  readonly extensions: Record<string, unknown> | undefined;
}

interface GatewayResponseError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: Record<string, unknown>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests know the shape of what they select
type Data = any;

export interface TestGateway {
  /** Base URL without a trailing slash. */
  readonly url: string;
  readonly metrics: Metrics;
  /** Parsed log lines in order. */
  readonly log: Record<string, unknown>[];
  /** Sends a query document as JSON. */
  query(
    document: string,
    variables?: Record<string, unknown>,
    headers?: Record<string, string>,
  ): Promise<GatewayResponse>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Sends a body to /graphql, a text as it is and an object as JSON. */
  post(body: BodyInit | object, headers?: Record<string, string>): Promise<Response>;
  /** Sends a multipart request with these parts. */
  upload(parts: readonly Part[], headers?: Record<string, string>): Promise<GatewayResponse>;
  /** Loads what the first operation needs. */
  load(): Promise<void>;
  /** Called when the test ends. Resolves with true if no request was aborted. */
  close(graceMs?: number): Promise<boolean>;
}

export interface SandboxGateway extends TestGateway {
  readonly sandbox: Sandbox;
  /** Requests of the sandbox in order. */
  readonly requests: string[];
}

export interface TestGatewayOptions {
  /** Server settings that differ from the defaults below. */
  readonly server?: Partial<Settings>;
  readonly keyFetch?: GraphQLDependencies['keyFetch'];
  /** The listening address. Default 127.0.0.1. */
  readonly listenOn?: string;
  /** When a connection without progress is closed. */
  readonly idleTimeoutMs?: number;
  /** Settings of the REST client that differ from those of `testHttp`. */
  readonly http?: Partial<HttpClientOptions>;
  /** What a team adds, and another schema. */
  readonly parts?: Partial<Pick<GraphQLDependencies, 'forms'>> & {
    /** A schema to serve instead of the gateway's own. */
    readonly schema?: GraphQLSchema | undefined;
    /** The forms of a sandbox. */
    readonly sandboxForms?: readonly unknown[];
    readonly plugins?: readonly object[] | undefined;
    readonly extendSchema?: TeamConfig['schema'];
    readonly createTeamContext?: TeamConfig['context'];
  };
  /** The embedded sandbox. Default: none. */
  readonly sandbox?: Host['sandbox'];
  /** Features besides those of the gateway. They replace those of the same name. Null: no features at all. */
  readonly features?: readonly Feature[] | null;
}

/** The documented defaults, with a service account. */
const gatewayDefaults: Settings = {
  ...readConfig({}),
  credential: { kind: 'fixed', authorization: 'Bearer service' },
  allowedHosts: ['x'], // host name of requests whose bytes a test writes itself
  fileUrlSecret: 'a secret of more than 32 characters, for tests',
  requestTimeoutMs: 120_000,
  concurrency: 32,
  ...executionOptions,
};

/** Starts the complete gateway on a real socket with a mocked DMS. */
export async function startGateway(
  options: TestGatewayOptions = {},
): Promise<TestGateway & { readonly dms: MockDms }> {
  const dms = createMockDms();
  const metrics = createMetrics({ process: false });
  const http = new HttpClient(
    { ...testHttpOptions, ...options.http },
    metrics.observer,
    dms.dispatcher,
  );
  return { ...closedWithTest(await open(options, http, metrics, mockOrigin)), dms };
}

/** Starts the complete gateway on a real socket with a DMS at `baseUrl`. */
export async function startGatewayBefore(
  baseUrl: string,
  options: TestGatewayOptions = {},
): Promise<TestGateway> {
  return closedWithTest(await openBefore(baseUrl, options));
}

function closedWithTest(gateway: TestGateway): TestGateway {
  onTestFinished(async () => {
    await gateway.close();
  });
  return gateway;
}

function openBefore(baseUrl: string, options: TestGatewayOptions): Promise<TestGateway> {
  const metrics = createMetrics({ process: false });
  const http = new HttpClient({ ...testHttpOptions, baseUrl, ...options.http }, metrics.observer);
  return open(options, http, metrics, baseUrl);
}

/** Starts the complete gateway with a new sandbox, its main service account, and its sign-in, as `npm start` does. */
export async function startGatewayOnSandbox(
  options: TestGatewayOptions = {},
): Promise<SandboxGateway> {
  const gateway = await openGatewayOnSandbox(options);
  onTestFinished(async () => {
    await gateway.close();
    await gateway.sandbox.close();
  });
  return gateway;
}

/** Starts one for all tests of a suite. Returns a function that returns it. */
export function shareGatewayOnSandbox(): () => SandboxGateway {
  let gateway: SandboxGateway | undefined;
  beforeAll(async () => {
    const { close, sandbox } = (gateway = await openGatewayOnSandbox({}));
    return async () => {
      await close();
      await sandbox.close();
    };
  });
  return () => gateway!;
}

async function openGatewayOnSandbox(options: TestGatewayOptions): Promise<SandboxGateway> {
  const requests: string[] = [];
  const sandbox = await startSandbox({ onRequest: (line) => requests.push(line) });
  const credential = { kind: 'fixed' as const, authorization: sandbox.authorization };
  const gateway = await openBefore(sandbox.url, {
    ...options,
    server: { credential, ...options.server },
    sandbox: {
      authorization: sandbox.authorization,
      tokenSecret: randomUUID(),
      ...options.sandbox,
    },
    parts: { sandboxForms: sandbox.forms, ...options.parts },
  });
  return { ...gateway, sandbox, requests };
}

async function open(
  options: TestGatewayOptions,
  http: HttpClient,
  metrics: Metrics,
  dmsUrl: string,
): Promise<TestGateway> {
  const log: Record<string, unknown>[] = [];
  const lines = createLog('trace', {
    write: (line) => {
      const parsed: Data = JSON.parse(line);
      log.push(parsed);
    },
  });
  const settings = { ...gatewayDefaults, ...options.server };
  const added = options.features ?? [];
  const others = features.filter(({ name }) => !added.some((one) => one.name === name));
  const all = options.features === null ? [] : [...others, ...added];
  const { plugins, extendSchema, createTeamContext, ...parts } = options.parts ?? {};
  const team: TeamConfig = {
    ...(plugins && { plugins: plugins as readonly TeamPlugin[] }),
    ...(extendSchema && { schema: extendSchema }),
    ...(createTeamContext && { context: createTeamContext }),
  };
  const sandboxForms = async () => parts.sandboxForms ?? null;
  const given = parts.forms;
  const declaring = given && [{ name: 'forms', schema: () => ({ provides: { forms: given } }) }];
  const withForms = [...all.filter(({ name }) => !given || name !== 'forms'), ...(declaring ?? [])];
  const sources = { sandboxForms };
  const { forms, executor, build } = await openSchemaOf(team, settings, sources, withForms);
  const opened = await openFeatures([...all, featureOf(team)], settings, {
    log: lines,
    metrics,
    dmsUrl,
    tls: {},
    replica: 'one',
    onWritten() {},
    dependOn() {},
    sandbox: options.sandbox ?? null,
  });
  await executor?.load(); // a first operation does not wait for it
  const gateway = createGateway(settings, {
    http,
    log: lines,
    metrics,
    features: opened,
    forms,
    executor,
    keyFetch: options.keyFetch ?? {},
    schema: async () => parts.schema ?? build(),
  });
  const listening = await listen(gateway, {
    host: options.listenOn ?? '127.0.0.1',
    port: 0,
    requestTimeoutMs: settings.requestTimeoutMs,
    ...(options.idleTimeoutMs && { idleTimeoutMs: options.idleTimeoutMs }),
  });
  let closed: Promise<boolean> | undefined;
  const stop = async (graceMs: number): Promise<boolean> => {
    const clean = await listening.close(graceMs);
    await http.close();
    await opened.run('onStop');
    return clean;
  };
  const close = (graceMs = 0): Promise<boolean> => {
    closed ??= stop(graceMs);
    return closed;
  };
  const { url } = listening;
  const post: TestGateway['post'] = (body, headers = {}) =>
    fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: isBody(body) ? body : JSON.stringify(body),
    });
  return {
    url,
    metrics,
    log,
    load: () => gateway.load(),
    close,
    fetch: (path, init) => fetch(url + path, init),
    post,
    upload: async (parts, headers) =>
      readResponse(
        await post(new Uint8Array(multipart(parts)), { ...multipartHeaders, ...headers }),
      ),
    query: async (query, variables = {}, headers = {}) =>
      readResponse(await post({ query, variables }, headers)),
  };
}

const isBody = (body: BodyInit | object): body is BodyInit =>
  typeof body === 'string' || ArrayBuffer.isView(body);

async function readResponse(response: Response): Promise<GatewayResponse> {
  const { data, errors, extensions }: Data = await response.json();
  return { status: response.status, headers: response.headers, data, errors, extensions };
}
