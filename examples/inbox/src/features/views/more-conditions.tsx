import { useState } from 'react';
import { Combobox, matchOptions } from '../../components/combobox.tsx';
import { useText } from '../../language/text.ts';
import { usePeople } from '../fields/use-people.ts';
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
  return (
    <details
      className="more-conditions"
      open={isOpen || isSet}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary className="button button-quiet">{t('More')}</summary>
      <div className="more-conditions-fields popup">
        {(isOpen || isSet) && (
          <AuthorCondition value={author} onSelect={(value) => onApply({ author: value })} />
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

interface AuthorConditionProps {
  readonly value: string;
  readonly onSelect: (value: string) => void;
}

function AuthorCondition({ value, onSelect }: AuthorConditionProps) {
  const t = useText();
  const { people, nameOf } = usePeople();
  /** Null: the user has not typed since the last choice. */
  const [text, setText] = useState<string | null>(null);
  const select = (chosen: string): void => {
    setText(null);
    onSelect(chosen);
  };
  return (
    <FilterChip label={t('Author')} isSet={value !== ''} onClear={() => select('')}>
      <Combobox
        attributes={{ 'aria-label': t('Author'), placeholder: t('Author') }}
        text={text ?? nameOf(value) ?? value}
        onType={setText}
        options={matchOptions(people, text ?? '')}
        onSelect={(option) => select(option.value)}
        emptyText={t('No person of this name is known here.')}
        onBlur={() => (text === '' ? select('') : setText(null))}
      />
    </FilterChip>
  );
}
