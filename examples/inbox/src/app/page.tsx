import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { useText } from '../language/text.ts';

interface PageProps {
  readonly title: string;
  readonly back?: ReactNode;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

const headingId = 'page-heading';
let currentPath: string | null = null;
let focusedPath: string | null = null;

export function focusPageHeading(): void {
  document.getElementById(headingId)?.focus();
}

/**
 * The content of a route. When the route changes, the heading receives the focus, so that a screen reader reads it and
 * the next Tab leads into the page; in a list, the row of the document that the user comes from.
 */
export function Page({ title, back, aside, children }: PageProps) {
  const t = useText();
  const heading = useRef<HTMLHeadingElement>(null);
  const { pathname } = useLocation();
  const content = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (focusedPath === pathname) heading.current?.focus();
    focusedPath = null;
    const element = content.current;
    return () => {
      if (element?.contains(document.activeElement)) focusedPath = pathname;
    };
  }, [pathname]);
  useEffect(() => {
    document.title = `${title} · ${t('Documents')}`;
  }, [t, title]);
  useEffect(() => {
    const isFocused = content.current?.contains(document.activeElement); // such as why an action has failed
    if (currentPath !== null && currentPath !== pathname && !isFocused) {
      const origin = `th[scope="row"] a[href^="${CSS.escape(currentPath)}?"]`;
      (content.current?.querySelector<HTMLElement>(origin) ?? heading.current)?.focus();
    }
    currentPath = pathname;
  }, [pathname]);
  return (
    <div ref={content} className="stack">
      <div className="page-heading">
        {back}
        <h1 ref={heading} id={headingId} tabIndex={-1}>
          {title}
        </h1>
        {aside}
      </div>
      {children}
    </div>
  );
}
