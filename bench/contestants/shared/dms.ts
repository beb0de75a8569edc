import type { Readable } from 'node:stream';

import type { Selection } from './selection.ts';
import type { Page, WireDocument, WireListValue, WirePerson } from './wire.ts';

/** The upstream calls of the resolvers. One object per request, so that it can deduplicate. */
export interface Dms {
  document(id: string, wanted: Selection): Promise<WireDocument>;
  inView(view: string, first: number, wanted: Selection): Promise<Page>;
  person(id: string): Promise<WirePerson>;
  listValue(id: string): Promise<WireListValue>;
  respond(document: string, response: string, body: object): Promise<void>;
  create(form: string, files: readonly UploadedFile[]): Promise<WireDocument>;
}

/** A file of the GraphQL multipart request as returned by graphql-upload-minimal. */
export interface UploadedFile {
  readonly filename: string;
  readonly createReadStream: () => Readable;
}

export interface PeerContext {
  readonly dms: Dms;
}

/** The identity of a request, which is forwarded unchanged. */
export interface Identity {
  readonly authorization: string;
  readonly 'svc-run-as': string;
}

export function identityOf(headers: NodeJS.Dict<string | string[]>): Identity {
  return {
    authorization: String(headers['authorization']),
    'svc-run-as': String(headers['svc-run-as']),
  };
}

export const PATHS = {
  document: (id: string, query: string): string =>
    `/api/v2/docForm/${encodeURIComponent(id)}?${query}`,
  view: (view: string, first: number, query: string): string =>
    `/api/v2/docForm/view/${view}?first=0&pageSize=${first}&${query}`,
  person: (id: string): string => `/api/v2/person/${encodeURIComponent(id)}`,
  listValue: (id: string): string => `/api/v2/listValue/${encodeURIComponent(id)}`,
  response: (document: string, response: string): string =>
    `/api/v2/docForm/${encodeURIComponent(document)}/docResponse/${encodeURIComponent(response)}`,
  create: (form: string): string => `/api/v2/docForm/form/${encodeURIComponent(form)}`,
  file: (document: string, file: string): string =>
    `/api/v2/docForm/${encodeURIComponent(document)}/file/${encodeURIComponent(file)}`,
};

/** The port of a contestant and the URL of its upstream. */
export function settings(): { port: number; upstream: string } {
  return { port: Number(process.env['PORT']), upstream: String(process.env['DMS_URL']) };
}
