import { useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router';
import { views } from '../../domain/view.ts';
import { useText } from '../../language/text.ts';
import './view-navigation.css';

/** The navigation between the views. On a narrow screen, it scrolls to the current one. */
export function ViewNavigation() {
  const t = useText();
  const { pathname } = useLocation();
  const navigation = useRef<HTMLElement>(null);
  useEffect(() => {
    const links = [...(navigation.current?.querySelectorAll('a') ?? [])];
    const current = links.find((link) => link.pathname === pathname);
    // Not `scrollIntoView`, which can scroll the page as well.
    if (current) navigation.current?.scrollTo({ left: current.offsetLeft - current.offsetWidth });
  }, [pathname]);
  return (
    <nav ref={navigation} className="view-navigation" aria-label={t('Views')}>
      <ul>
        {views.map(({ slug, label }) => (
          <li key={slug}>
            <NavLink to={`/app/views/${slug}`}>{t(label)}</NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
