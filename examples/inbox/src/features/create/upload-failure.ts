import { CombinedGraphQLErrors } from '@apollo/client';
import { SignInError } from '../../../../ui/session.ts';
import { MissingResultError, uncertainCodes } from '../../client/failure.ts';
import { explain, type Explanation } from '../../components/explanation.tsx';
import type { Format } from '../../language/format.ts';
import type { Translate } from '../../language/text.ts';

export interface UploadLimits {
  readonly maxBytes?: number;
  readonly maxFiles?: number;
}

export interface UploadFailure extends Explanation {
  readonly isCancelled: boolean;
  readonly isFormGone?: boolean;
  readonly limits: UploadLimits;
}

export interface Texts {
  readonly t: Translate;
  readonly format: Format;
}

export function explainFailure(
  error: unknown,
  state: { readonly isSent: boolean; readonly isCancelled: boolean },
  texts: Texts,
): UploadFailure {
  const { isSent, isCancelled } = state;
  const { t } = texts;
  const mayExist = t(
    'The document may exist. Look for it in “My documents” before you create it again.',
  );
  const isKept = t('No document was created. Your entries are kept.');
  if (isCancelled) {
    const text = isSent
      ? `${t('You cancelled after everything had been sent.')} ${mayExist}`
      : `${t('The upload was cancelled.')} ${isKept}`;
    return { text, isCancelled, limits: {} };
  }
  const failed = (text: string, limits: UploadLimits = {}): UploadFailure => ({
    text,
    isCancelled,
    limits,
  });
  if (error instanceof SignInError) {
    return failed(`${t('Your sign-in has expired. Try again.')} ${isKept}`);
  }
  if (!CombinedGraphQLErrors.is(error)) {
    return failed(
      isSent || error instanceof MissingResultError
        ? `${t('The connection was lost before the gateway answered.')} ${mayExist}`
        : `${t('The connection was closed during the upload.')} ${isKept} ${t('If this happens again, the files may be too large.')}`,
    );
  }
  if (/is not defined by type "\w*Fields\w*Input"/.test(error.message)) {
    return { ...failed(''), isFormGone: true };
  }
  const limits = limitsIn(error.message);
  const exceeded = exceededLimit(limits, texts);
  if (exceeded !== null) return failed(`${exceeded} ${isKept}`, limits);
  const code = error.errors[0]?.extensions?.['code'];
  const { text, ...detail } = explain(error, t);
  return { ...failed(`${text} ${uncertainCodes.includes(code) ? mayExist : isKept}`), ...detail };
}

function limitsIn(message: string): UploadLimits {
  const [, bytes] = /MAX_UPLOAD_BYTES allows (\d+) bytes/.exec(message) ?? [];
  const [, files] = /MAX_UPLOAD_FILES allows (\d+)/.exec(message) ?? [];
  return {
    ...(bytes !== undefined && { maxBytes: Number(bytes) }),
    ...(files !== undefined && { maxFiles: Number(files) }),
  };
}

function exceededLimit({ maxBytes, maxFiles }: UploadLimits, { t, format }: Texts): string | null {
  if (maxBytes !== undefined) {
    return t('The files are too large: all together can have at most {size}.', {
      size: format.size(maxBytes),
    });
  }
  if (maxFiles !== undefined) {
    return t('There are too many files: a document can have at most {count}.', {
      count: format.count(maxFiles),
    });
  }
  return null;
}

export function sizeOf(files: readonly File[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

export function checkFiles(
  files: readonly File[],
  limits: UploadLimits,
  texts: Texts,
): string | null {
  const { maxBytes, maxFiles } = limits;
  if (maxFiles !== undefined && files.length > maxFiles) return exceededLimit({ maxFiles }, texts);
  return maxBytes !== undefined && sizeOf(files) > maxBytes
    ? exceededLimit({ maxBytes }, texts)
    : null;
}

/** Returns the names of the files that cannot be read: they were deleted or changed since they were selected. */
export async function findUnreadable(files: readonly File[]): Promise<string[]> {
  const checks = files.map(async (file) => {
    const isReadable = await file
      .slice(0, 1)
      .arrayBuffer()
      .then(() => true)
      .catch(() => false);
    return isReadable ? [] : [file.name];
  });
  return (await Promise.all(checks)).flat();
}
