import { ExplanationText, type Explanation } from './explanation.tsx';

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
