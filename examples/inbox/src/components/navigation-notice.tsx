import { ExplanationText, type Explanation } from './explanation.tsx';

/** What the page shows above its content: `state` of a navigation. */
export interface NavigationState {
  readonly notice: Explanation;
}

/** The result that led to this page, if `state` of its navigation has one. With a detail, it is only a partial success. */
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
