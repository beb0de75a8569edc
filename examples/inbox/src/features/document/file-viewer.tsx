import { useEffect, useRef } from 'react';
import { Loading } from '../../components/loading.tsx';
import { useFile, type FileRequest } from './use-file.ts';
import { useText } from '../../language/text.ts';

type FileViewerProps = FileRequest & {
  /** Page of a PDF to show first, from 1. Default: 1. */
  readonly page?: number;
};

export function FileViewer({ page = 1, ...request }: FileViewerProps) {
  const t = useText();
  const { name } = request;
  const file = useFile(request);
  if (file.status === 'loading') return <Loading label={name} lines={3} />;
  if (file.status === 'failed') {
    return (
      <p role="alert" className="notice notice-error">
        {t('{name} cannot be loaded. Try again later.', { name })}
      </p>
    );
  }
  const { content } = file;
  return (
    <div className="file-viewer">
      {content.kind === 'pdf' && (
        // A new key loads the frame again: browsers ignore a new fragment in the same frame.
        <PdfFrame
          key={page}
          title={name}
          src={`${content.url}#page=${page}&view=FitH&navpanes=0`}
        />
      )}
      {content.kind === 'image' && <img alt={name} src={content.url} />}
      {content.kind === 'text' && (
        <pre className="plain-text" tabIndex={0} aria-label={name}>
          {content.text}
        </pre>
      )}
      {content.kind === 'other' && (
        <p className="muted">{t('This kind of file cannot be shown here. Download it instead.')}</p>
      )}
      {content.kind === 'too-large' && (
        <p className="muted">{t('The file is too large to be shown here. Download it instead.')}</p>
      )}
      {content.kind === 'empty' && <p className="muted">{t('The file is empty.')}</p>}
      {content.kind === 'missing' && <p className="muted">{t('The file does not exist.')}</p>}
    </div>
  );
}

function PdfFrame({ title, src }: { readonly title: string; readonly src: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const focused = useRef<Element | null>(null);
  useEffect(() => {
    const giveBack = (): void => {
      const before = focused.current;
      if (before === null || document.activeElement !== frame.current) return;
      setTimeout(() => {
        frame.current?.blur();
        window.focus();
        if (before instanceof HTMLElement) before.focus({ preventScroll: true });
      });
    };
    window.addEventListener('blur', giveBack);
    return () => window.removeEventListener('blur', giveBack);
  }, []);
  return (
    <iframe
      ref={frame}
      title={title}
      src={src}
      onPointerEnter={() => {
        focused.current = document.activeElement;
      }}
      onPointerLeave={() => {
        focused.current = null;
      }}
    />
  );
}
