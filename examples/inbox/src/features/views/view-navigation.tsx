import { NavLink } from 'react-router';
import { views } from '../../domain/view.ts';
import './view-navigation.css';

/** The navigation between the views. */
export function ViewNavigation() {
  return (
    <nav className="view-navigation" aria-label="Views">
      <ul>
        {views.map(({ slug, label }) => (
          <li key={slug}>
            <NavLink to={`/app/views/${slug}`}>{label}</NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
