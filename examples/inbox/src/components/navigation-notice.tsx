import { ExplanationText, type Explanation } from './explanation.tsx';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

export interface NavigationState {
  readonly notice: Explanation;
}

export function NavigationNotice({ state }: { readonly state: unknown }) {
  if (typeof state !== 'object' || state === null || !('notice' in state)) return null;
  const { notice } = state as NavigationState;
  const tone = notice.detail === undefined ? 'success' : 'warning';
  return (
    <p className={`notice notice-${tone}`}>
      <ExplanationText {...notice} />
    </p>
  );
}

/**
 * Returns the state of the navigation that led to this page. It is removed from the history, because the browser would
 * return it again after a reload and after Back.
 */
export function useNavigationState(): unknown {
  const location = useLocation();
  const navigate = useNavigate();
  const [state, setState] = useState<unknown>(location.state);
  if (location.state !== null && location.state !== state) setState(location.state);
  useEffect(() => {
    if (location.state === null) return;
    void navigate(location, { replace: true, state: null, preventScrollReset: true });
  }, [location, navigate]);
  return state;
}
