import type { ArrivedFile, IncomingFile, UploadFile } from '../../model/transfer.ts';
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
 * later file would block the earlier one. Small files can arrive together, before the first one is requested.
 */
export async function* inArrivalOrder(files: readonly IncomingFile[]): AsyncGenerator<UploadFile> {
  const arrived: ArrivedFile[] = [];
  const pending = new Map<IncomingFile, Promise<void>>();
  const arrival = async (file: IncomingFile): Promise<void> => {
    arrived.push(await file.promise);
    pending.delete(file);
  };
  for (const file of files) pending.set(file, arrival(file));
  while (arrived.length > 0 || pending.size > 0) {
    if (arrived.length === 0) await Promise.race(pending.values());
    arrived.sort((a, b) => a.position - b.position);
    const { filename, contentType, createReadStream } = arrived.shift()!;
    yield { name: filename, contentType, open: createReadStream };
  }
}
