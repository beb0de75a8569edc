import { useState } from 'react';
import { isOpenStatus } from '../domain/workflow.ts';
import { useFormat } from '../language/format.ts';
import { useText } from '../language/text.ts';
import { Icon } from '../../../ui/icon.tsx';

interface DueDateProps {
  readonly date: string | null | undefined;
  readonly status: number | null | undefined;
}

export function DueDate({ date, status }: DueDateProps) {
  const t = useText();
  const format = useFormat();
  const [now] = useState(Date.now);
  if (!date) return null;
  const isOverdue = isOpenStatus(status) && new Date(date).getTime() < now;
  if (!isOverdue) return format.day(date);
  return (
    <span className="due-passed" title={t('Overdue')}>
      <Icon name="clock" />
      {format.day(date)}
      <span className="visually-hidden"> {t('Overdue')}</span>
    </span>
  );
}
