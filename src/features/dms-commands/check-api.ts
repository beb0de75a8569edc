import type { IncomingHttpHeaders } from 'node:http';
import type { Document } from '../../model/document.ts';
import type { Credential } from '../../model/identity.ts';
import {
  array,
  type Caller,
  Dms,
  documentProjection,
  type HttpClient,
  RestError,
  totalCountFrom,
} from '../../rest/index.ts';
import type { CheckResult } from '../../server/command.ts';
import { createCommandBudget, createCommandCaller } from './dms-client.ts';

export interface ApiCheckOptions {
  readonly credential: Credential | null;
  readonly runAs: string | null;
  readonly runAsHeader: string;
}

interface Session {
  readonly http: HttpClient;
  readonly caller: Caller;
  readonly dms: Dms;
  readonly headers: IncomingHttpHeaders;
  readonly document: Document | undefined;
}

const unknownUser = 'usr-unknown-user-of-the-check';
const slowMs = 500;
const projection = documentProjection(new Set(['author', 'files'] as const), true);
const path = `/api/v2/docForm/view/all?first=0&pageSize=1${projection.query.replace('?', '&')}`;

/** Checks what the gateway depends on in the REST API. The order is that of the results. */
export async function* checkApi(
  http: HttpClient,
  { credential, runAs, runAsHeader }: ApiCheckOptions,
): AsyncGenerator<CheckResult> {
  const callerFor = (user: string | null): Caller => createCommandCaller(credential, user);
  const asAccount = await openSession(http, callerFor(null));
  yield credentialResult(asAccount, credential);
  if (asAccount instanceof RestError) return;
  const asUser = runAs === null ? null : await openSession(http, callerFor(runAs));
  const asUnknown = await openSession(http, callerFor(unknownUser));
  yield runAsResult(asUser, asUnknown, asAccount.document !== undefined, runAsHeader);
  const session = asUser === null || asUser instanceof RestError ? asAccount : asUser;
  yield totalCountResult(session);
  yield* checkForms(session);
  yield await checkPersons(session);
  yield await checkAttachment(session);
  yield await checkListValues(session);
  yield await checkLatency(session);
}

async function openSession(http: HttpClient, caller: Caller): Promise<Session | RestError> {
  const budget = createCommandBudget();
  const route = '/api/v2/docForm/view/{viewId}';
  const call = { caller, budget, method: 'GET', route, path, label: 'check' } as const;
  return errorOr(async () => {
    const { headers, body, request } = await http.read(call);
    const [document] = array(body, request).map((one) => projection.read(one, request));
    return { http, caller, dms: new Dms(http, caller, budget), headers, document };
  });
}

async function errorOr<T>(read: () => Promise<T>): Promise<T | RestError> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof RestError) return error;
    throw error;
  }
}

/** The error without what the DMS sent, which could repeat a credential. */
function describe({ code, request, status, expected }: RestError): string {
  const outcome = status === null ? code : `status ${status}`;
  return `${request ?? 'No request'}: ${outcome}${expected === null ? '' : `, expected ${expected}`}`;
}

function credentialResult(first: Session | RestError, credential: Credential | null): CheckResult {
  const name = 'credential';
  if (!(first instanceof RestError)) {
    const text = credential === null ? 'The DMS requires none.' : 'is accepted';
    return { status: credential === null ? 'warn' : 'ok', name, text };
  }
  if (credential === null && first.code === 'UNAUTHENTICATED') {
    const hint = 'Run this command with IDENTITY=service and a credential for the other checks.';
    return { status: 'skip', name, text: `Clients send their own (IDENTITY=passthrough). ${hint}` };
  }
  return { status: 'fail', name, text: `${describe(first)}. ${credentialHint(first, credential)}` };
}

function credentialHint({ code, status, expected }: RestError, credential: Credential | null) {
  switch (code) {
    case 'UNAUTHENTICATED':
      return credential?.kind === 'signed'
        ? 'Check DMS_ACCOUNT_ID, DMS_ACCOUNT_KEY, DMS_ACCOUNT_ALG and the clock.'
        : 'Check DMS_AUTHORIZATION.';
    case 'FORBIDDEN':
      return 'Let the account read documents.';
    case 'NOT_FOUND':
      return 'Check the path of DMS_URL.';
    case 'UPSTREAM_UNAVAILABLE':
    case 'UPSTREAM_TIMEOUT':
      return 'Check whether the DMS runs, and proxies in front of it.';
    default:
      return expected === 'JSON' || (status !== null && status >= 300 && status < 400)
        ? 'DMS_URL may name a web interface, a login page or a proxy. Set the base URL of the REST API.'
        : 'Ask the operator of the DMS.';
  }
}

function runAsResult(
  asUser: Session | RestError | null,
  asUnknown: Session | RestError,
  hasDocument: boolean,
  header: string,
): CheckResult {
  const name = 'run-as';
  if (!(asUnknown instanceof RestError) && asUnknown.document !== undefined) {
    const hint = 'Set DMS_RUN_AS_HEADER, or every user sees what the account sees.';
    return { status: 'fail', name, text: `The DMS ignores ${header}. ${hint}` };
  }
  if (asUser === null) {
    const text = 'Unknown without a user for whom the gateway can read. Add --run-as USER.';
    return { status: 'skip', name, text };
  }
  if (asUser instanceof RestError) {
    const hint = 'Name an active user, and let the account act for users.';
    return { status: 'fail', name, text: `${describe(asUser)}. ${hint}` };
  }
  // Where nobody sees a document, an unknown user who is accepted shows nothing.
  if (hasDocument || asUnknown instanceof RestError) {
    return { status: 'ok', name, text: `${header} is obeyed` };
  }
  return { status: 'skip', name, text: 'Unknown until the account can read a document.' };
}

function totalCountResult({ headers }: Session): CheckResult {
  const name = 'total count';
  const found = ['svc-total-count', 'x-total-count'].find(
    (header) => totalCountFrom({ [header]: headers[header] }) !== null,
  );
  if (found !== undefined) return { status: 'ok', name, text: `is in ${found}` };
  const text = 'Neither svc-total-count nor X-Total-Count: totalCount is null. Check proxies.';
  return { status: 'warn', name, text };
}

async function* checkForms({ dms, http }: Session): AsyncGenerator<CheckResult> {
  const forms = await errorOr(() => dms.forms.all());
  yield roleResult('forms', forms, 'The fields form and forms need the role elAdminDocsR.');
  const name = 'form path';
  const { known } = http.variants.forms;
  yield known === null
    ? { status: 'skip', name, text: 'Unknown until forms can be read.' }
    : { status: 'ok', name, text: known === 'first' ? 'is sysForm' : 'is sysFrom' };
}

function roleResult(name: string, found: unknown, hint: string): CheckResult {
  if (!(found instanceof RestError)) return { status: 'ok', name, text: 'can be read' };
  return { status: 'warn', name, text: `${describe(found)}. ${hint}` };
}

async function checkPersons({ dms, document }: Session): Promise<CheckResult> {
  const name = 'persons';
  const author = document?.author;
  if (!author?.startsWith('usr-')) {
    return { status: 'skip', name, text: 'The first document has no person as author.' };
  }
  const person = await errorOr(() => dms.persons.get(author));
  return roleResult(name, person, 'Authors and members need the right to read persons.');
}

async function checkAttachment({ dms, http, document }: Session): Promise<CheckResult> {
  const name = 'attachment path';
  const [file] = document?.files ?? [];
  if (document === undefined || file === undefined) {
    return { status: 'skip', name, text: 'The first document has no file.' };
  }
  const download = await errorOr(() => dms.documents.file(document.fullId, file.id, {}));
  if (download instanceof RestError) {
    return { status: 'warn', name, text: `${describe(download)}. Downloads fail.` };
  }
  download.body.on('error', () => {}).destroy();
  const isNew = http.variants.attachment.known === 'first';
  const text = isNew ? 'has the document ID' : 'is the older one, without the document ID';
  return { status: 'ok', name, text };
}

async function checkListValues({ dms, http }: Session): Promise<CheckResult> {
  const name = 'list values';
  const directories = await errorOr(() => dms.listValues.directories());
  if (directories instanceof RestError) {
    return roleResult(name, directories, 'Directories and list values fail.');
  }
  if (directories.length === 0) return { status: 'skip', name, text: 'There is no directory.' };
  const version = http.variants.listValuesAreV1 ? 1 : 2;
  return { status: 'ok', name, text: `have the shape of version ${version}` };
}

async function checkLatency({ http, caller }: Session): Promise<CheckResult> {
  const name = 'latency';
  let ms = Infinity;
  for (let count = 0; count < 3; count += 1) {
    const startedAt = performance.now();
    const session = await openSession(http, caller);
    if (session instanceof RestError)
      return { status: 'warn', name, text: `${describe(session)}.` };
    ms = Math.min(ms, performance.now() - startedAt);
  }
  const text = `a page of one document takes ${Math.round(ms)} ms`;
  if (ms < slowMs) return { status: 'ok', name, text };
  const hint = 'A nested query waits for several of them. Place the gateway near the DMS.';
  return { status: 'warn', name, text: `${text}. ${hint}` };
}
