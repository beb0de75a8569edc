import { useState } from 'react';
import { readReference } from '../../domain/reference.ts';
import { useText } from '../../language/text.ts';
import { PersonInput } from '../fields/object-field.tsx';
import { FilterChip, FilterInput } from './filter-controls.tsx';
import type { FilterState } from './filter-state.ts';

interface MoreConditionsProps {
  readonly draft: FilterState;
  readonly onChange: (changed: Partial<FilterState>) => void;
  readonly onApply: (changed: Partial<FilterState>) => void;
}

/** The conditions that are seldom necessary. They are hidden until the user opens them or one of them is not empty. */
export function MoreConditions({ draft, onChange, onApply }: MoreConditionsProps) {
  const t = useText();
  const { author, step, iteration } = draft;
  const isSet = author + step + iteration !== '';
  const [isOpen, setIsOpen] = useState(false);
  /** A text that names nobody yet, and the author whom it is to replace. */
  const [typed, setTyped] = useState({ author, text: '', isLeft: false });
  const text = typed.author === author ? typed.text : '';
  return (
    <details
      className="more-conditions"
      open={isOpen || isSet}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary className="button button-quiet">{t('More')}</summary>
      <div
        className="more-conditions-fields popup"
        onBlur={() => setTyped((now) => ({ ...now, isLeft: true }))}
      >
        {(isOpen || isSet) && (
          <FilterChip
            label={t('Author')}
            isSet={author !== ''}
            onClear={() => {
              setTyped({ author, text: '', isLeft: false });
              onApply({ author: '' });
            }}
          >
            <PersonInput
              attributes={{
                'aria-label': t('Author'),
                placeholder: t('Author'),
                ...(text !== '' && typed.isLeft && { 'aria-invalid': true }),
              }}
              value={text || author}
              onChange={(value) => {
                const isTyped = readReference(value).typed !== '';
                setTyped({ author, text: isTyped ? value : '', isLeft: false });
                if (!isTyped) onApply({ author: value });
              }}
            />
          </FilterChip>
        )}
        {(['step', 'iteration'] as const).map((name) => (
          <FilterInput
            key={name}
            label={t(name === 'step' ? 'Step, 0 to 100' : 'Iteration, 0 to 100')}
            type="number"
            min={0}
            max={100}
            value={draft[name]}
            onChange={(value) => onChange({ [name]: value })}
            onClear={() => onApply({ [name]: '' })}
          />
        ))}
      </div>
    </details>
  );
}
