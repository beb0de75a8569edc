import type { IncomingFile, UploadFile } from '../../model/transfer.ts';
import type { InputCheck } from '../input/input-check.ts';

/**
 * Checks that no file is used twice: each part of the request is read once, so it can be only one file of the document.
 */
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
 * Yields the files in the order in which they arrive, not in that of the list. Files are not buffered, so waiting for a
 * later file would block the earlier one.
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
