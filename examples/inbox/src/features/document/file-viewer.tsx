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

/** A click into it leaves the focus where it was, because the viewer takes all keys: those of the page would be dead. */
function PdfFrame({ title, src }: { readonly title: string; readonly src: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    let before: EventTarget | null = null;
    let isTabPressed = false;
    const listeners = new AbortController();
    const listen = (type: string, listener: (event: Event) => void): void =>
      window.addEventListener(type, listener, { capture: true, signal: listeners.signal });
    listen('keydown', (event) => {
      isTabPressed = event instanceof KeyboardEvent && event.key === 'Tab';
    });
    listen('keyup', () => {
      isTabPressed = false;
    });
    listen('focusout', ({ target }) => {
      before = target;
    });
    listen('blur', ({ target }) => {
      if (target !== window || isTabPressed || document.activeElement !== frame.current) return;
      // The viewer has the focus only after this event.
      setTimeout(() => {
        frame.current?.blur();
        window.focus();
        if (before instanceof HTMLElement) before.focus({ preventScroll: true });
      });
    });
    return () => listeners.abort();
  }, []);
  return <iframe ref={frame} title={title} src={src} />;
}
