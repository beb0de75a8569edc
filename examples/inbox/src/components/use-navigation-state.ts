import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

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
