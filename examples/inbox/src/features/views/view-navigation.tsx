import { NavLink } from 'react-router';
import { Icon } from '../../../../ui/icon.tsx';
import { views } from '../../domain/view.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { useViewCounts } from './use-view-counts.ts';
import './view-navigation.css';

export function ViewNavigation() {
  const t = useText();
  const format = useFormat();
  const countOf = useViewCounts(true);
  return (
    <nav className="view-navigation" aria-label={t('Views')}>
      <ul>
        {views.map((view) => {
          const count = countOf(view);
          return (
            <li key={view.slug}>
              <NavLink to={`/app/views/${view.slug}`}>
                <Icon name={view.icon} />
                <span>{t(view.label)}</span>
              </NavLink>
              <span className="view-count">{count === null ? '' : format.count(count)}</span>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
