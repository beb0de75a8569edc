import type { IncomingFile, UploadFile } from '../../model/transfer.ts';
import type { InputCheck } from '../input/input-check.ts';

/** One part of the request is one file of the document: its bytes pass by once. */
export function checkFiles(check: InputCheck, files: readonly IncomingFile[]): void {
  const seen = new Set<IncomingFile>();
  for (const [i, file] of files.entries()) {
    if (seen.has(file)) {
      check.issue(
        ['files', i],
        '`map` assigns this file to an earlier entry already. Upload it once per entry.',
      );
    }
    seen.add(file);
  }
}

/**
 * The files as they come in, whichever order they are mapped in: nothing is buffered, so a file that is
 * waited for out of order would wait behind the one that nobody reads.
 */
export async function* inArrivalOrder(files: readonly IncomingFile[]): AsyncGenerator<UploadFile> {
  const pending = new Map(
    files.map((file) => [file, file.promise.then((arrived) => ({ file, arrived }))]),
  );
  while (pending.size > 0) {
    const { file, arrived } = await Promise.race(pending.values());
    pending.delete(file);
    const { filename, contentType } = arrived;
    yield { name: filename, contentType, open: () => arrived.createReadStream() };
  }
}
