import { useEffect, useRef } from 'react';
import { formatSize } from '../../domain/format.ts';
import type { Progress } from './use-create-document.ts';

interface UploadProgressProps {
  readonly progress: Progress;
  readonly onCancel: () => void;
}

/** The progress of a request that creates a document, with a button that cancels it, which has the focus at first. */
export function UploadProgress({ progress, onCancel }: UploadProgressProps) {
  const { sentBytes, totalBytes } = progress;
  const cancelButton = useRef<HTMLButtonElement>(null);
  useEffect(() => cancelButton.current?.focus(), []);
  const isSent = totalBytes > 0 && sentBytes === totalBytes;
  const percent = totalBytes === 0 ? 0 : Math.floor((sentBytes / totalBytes) * 100);
  return (
    <div className="card stack-small">
      <div className="row">
        {/* Without a value, the bar shows that something happens, but not how much. */}
        <progress
          className="upload-bar"
          aria-label="Upload"
          max={100}
          {...(!isSent && { value: percent })}
        />
        <button ref={cancelButton} type="button" className="button" onClick={onCancel}>
          Cancel upload
        </button>
      </div>
      <p className="small muted">
        {isSent
          ? 'Everything was sent. The document service stores the document…'
          : `${percent} %: ${formatSize(sentBytes)} of ${formatSize(totalBytes)}`}
      </p>
    </div>
  );
}
