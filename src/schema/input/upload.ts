import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type * as Uploads from 'graphql-upload-minimal';

declare module 'graphql-upload-minimal' {
  // Methods that its types lack.
  interface Upload {
    resolve(file: FileUpload): void;
    reject(error: Error): void;
  }
}

/*
 * The scalar and the class of graphql-upload-minimal without its middleware, which loads a parser of its own: that would
 * take 5 ms of a start.
 */
const require = createRequire(import.meta.url);
const folder = dirname(require.resolve('graphql-upload-minimal'));

/** The scalar `Upload`. Its value is a promise of a `FileUpload`. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const GraphQLUpload = require(
  join(folder, 'GraphQLUpload.js'),
) as typeof Uploads.GraphQLUpload;

/** A file that a request has announced: what the variables of the request contain. A test resolves it itself. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const Upload = require(join(folder, 'Upload.js')) as typeof Uploads.Upload;
/** The type of its instances. */
export type Upload = Uploads.Upload;
