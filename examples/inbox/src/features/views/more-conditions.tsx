import { useState } from 'react';
import { useText } from '../../language/text.ts';
import { FilterInput } from './filter-controls.tsx';
import type { FilterState } from './filter-state.ts';

interface MoreConditionsProps {
  readonly draft: FilterState;
  readonly onChange: (changed: Partial<FilterState>) => void;
}

/** The conditions that are seldom necessary. They are hidden until the user opens them or one of them is not empty. */
export function MoreConditions({ draft, onChange }: MoreConditionsProps) {
  const t = useText();
  const { author, step, iteration } = draft;
  /** The user can clear a condition without closing the element that contains it. */
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      className="document-filters-more"
      open={isOpen || author + step + iteration !== ''}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary>{t('More conditions')}</summary>
      <div className="document-filters-fields">
        <FilterInput
          label={t('Author ID')}
          placeholder="usr-ann"
          value={author}
          onChange={(value) => onChange({ author: value })}
        />
        <FilterInput
          label={t('Step, 0 to 100')}
          type="number"
          min={0}
          max={100}
          value={step}
          onChange={(value) => onChange({ step: value })}
        />
        <FilterInput
          label={t('Iteration, 0 to 100')}
          type="number"
          min={0}
          max={100}
          value={iteration}
          onChange={(value) => onChange({ iteration: value })}
        />
      </div>
    </details>
  );
}
