import { useEffect, useRef } from 'react';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import type { Progress } from './use-create-document.ts';

interface UploadProgressProps {
  readonly progress: Progress;
  readonly onCancel: () => void;
}

export function UploadProgress({ progress, onCancel }: UploadProgressProps) {
  const t = useText();
  const format = useFormat();
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
          aria-label={t('Upload')}
          max={100}
          {...(!isSent && { value: percent })}
        />
        <button ref={cancelButton} type="button" className="button" onClick={onCancel}>
          {t('Cancel upload')}
        </button>
      </div>
      <p className="small muted">
        {isSent
          ? t('Everything was sent. The document service stores the document…')
          : t('{percent} %: {sent} of {total}', {
              percent,
              sent: format.size(sentBytes),
              total: format.size(totalBytes),
            })}
      </p>
    </div>
  );
}
