import { useLocation } from 'react-router';

/** The result that led to this page: `notice` of the state of the navigation. */
export function NavigationNotice() {
  const state: unknown = useLocation().state;
  if (typeof state !== 'object' || state === null || !('notice' in state)) return null;
  return <p className="notice notice-success">{String(state.notice)}</p>;
}
