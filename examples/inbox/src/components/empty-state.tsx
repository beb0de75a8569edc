import type { ReactNode } from 'react';
import { Icon, type IconName } from '../../../ui/icon.tsx';

interface EmptyStateProps {
  readonly icon: IconName;
  readonly text: string;
  /** The next step: a link or a button. */
  readonly children?: ReactNode;
}

/** Says that there is nothing to show, and what the user can do next. */
export function EmptyState({ icon, text, children }: EmptyStateProps) {
  return (
    <div className="empty">
      <Icon name={icon} />
      <p>{text}</p>
      {children}
    </div>
  );
}
