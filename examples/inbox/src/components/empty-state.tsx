import type { ReactNode } from 'react';
import { Icon, type IconName } from '../../../ui/icon.tsx';

interface EmptyStateProps {
  readonly icon: IconName;
  readonly text: string;
  readonly children?: ReactNode;
}

export function EmptyState({ icon, text, children }: EmptyStateProps) {
  return (
    <div className="empty">
      <Icon name={icon} />
      <p>{text}</p>
      {children}
    </div>
  );
}
