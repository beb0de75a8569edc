import { NavLink } from 'react-router';
import { views } from '../../domain/view.ts';
import { useText } from '../../language/text.ts';
import './view-navigation.css';

/** The navigation between the views. */
export function ViewNavigation() {
  const t = useText();
  return (
    <nav className="view-navigation" aria-label={t('Views')}>
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
