import { useEffect, useId, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { useText } from '../language/text.ts';
import './combobox.css';

export interface ComboboxOption {
  readonly value: string;
  readonly label: string;
  readonly detail?: string | null | undefined;
}

export interface ComboboxProps {
  readonly attributes: {
    readonly id?: string;
    readonly 'aria-label'?: string;
    readonly 'aria-invalid'?: true;
    readonly 'aria-required'?: true;
    readonly 'aria-describedby'?: string;
    readonly placeholder?: string;
    readonly type?: 'search';
  };
  readonly text: string;
  readonly onType: (text: string) => void;
  readonly options: readonly ComboboxOption[];
  readonly onSelect: (option: ComboboxOption) => void;
  /** Whether the options are not yet those of the text: none of them is marked. */
  readonly isLoading?: boolean;
  readonly emptyText: string;
}

/** An input with a list of objects to select from: the combobox pattern of the ARIA Authoring Practices Guide. */
export function Combobox(props: ComboboxProps) {
  const { attributes, text, onType, options, onSelect, isLoading, emptyText } = props;
  const t = useText();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  /** `left`: the user has left the text before its options have been loaded. */
  const [state, setState] = useState<'closed' | 'open' | 'left'>('closed');
  const [lastMarked, setMarked] = useState(-1);
  const [isMarkedByKey, setMarkedByKey] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const marked = isLoading ? -1 : lastMarked;
  const isShown = state === 'open' && (options.length > 0 || text !== '');
  useEffect(() => {
    if (state !== 'left' || isLoading) return;
    input.current?.dispatchEvent(new window.FocusEvent('focusout', { bubbles: true }));
  }, [state, isLoading]);
  const mark = (index: number): void => {
    setMarked(index);
    setMarkedByKey(true);
    list.current?.children[index]?.scrollIntoView({ block: 'nearest' });
  };
  const select = (option: ComboboxOption): void => {
    setState('closed');
    setMarked(-1);
    onSelect(option);
  };
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setState('open');
      if (options.length > 0) {
        mark((Math.max(marked, step > 0 ? -1 : 0) + step + options.length) % options.length);
      }
    } else if (event.key === 'Escape' && isShown) {
      event.preventDefault();
      setState('closed');
    } else if (event.key === 'Enter') {
      if (!isShown || (text.trim() === '' && marked < 0)) return;
      event.preventDefault(); // a text that finds nothing yet is not sent
      const option = options[marked];
      if (option) select(option);
    }
  };
  const leave = (event: FocusEvent): void => {
    if (isLoading && state !== 'closed' && text.trim() !== '') {
      event.stopPropagation(); // nothing is wrong yet: the input is left again when its options are there
      setState('left');
      return;
    }
    const typed = text.trim().toLocaleLowerCase();
    const named = options.filter(({ label, value, detail }) =>
      [label, value, detail].some((name) => name?.toLocaleLowerCase() === typed),
    );
    const isMeant = isShown && (isMarkedByKey || options.length === 1);
    const option = isMeant ? options[marked] : named.length === 1 && named[0];
    if (state !== 'closed' && option) select(option);
    setState('closed');
  };
  return (
    <div className="combobox">
      <input
        ref={input}
        {...attributes}
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={isShown && options.length > 0}
        aria-controls={isShown && options.length > 0 ? `${id}-list` : undefined}
        aria-activedescendant={isShown && options[marked] ? `${id}-${marked}` : undefined}
        value={text}
        onChange={(event) => {
          setState('open');
          setMarked(event.currentTarget.value.trim() === '' ? -1 : 0); // Enter takes the first match
          setMarkedByKey(false);
          onType(event.currentTarget.value);
        }}
        onClick={() => setState('open')}
        onKeyDown={press}
        onBlur={leave}
      />
      {isShown && options.length > 0 && (
        <div
          ref={list}
          id={`${id}-list`}
          role="listbox"
          tabIndex={-1} // otherwise Chromium lets Tab stop at a list that scrolls
          aria-label={t('Suggestions')}
          className="combobox-list popup"
        >
          {options.map((option, index) => (
            // The input has the focus and the keys.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={option.value}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === marked}
              onMouseDown={(event) => event.preventDefault()} // the input keeps the focus
              onClick={() => select(option)}
            >
              <span className="clip">{option.label}</span>
              {option.detail && <span className="muted small clip">{option.detail}</span>}
            </div>
          ))}
        </div>
      )}
      {isShown && options.length === 0 && (
        <p role="status" className="combobox-list popup muted">
          {isLoading ? t('Loading…') : emptyText}
        </p>
      )}
    </div>
  );
}

export function matchOptions(
  options: readonly ComboboxOption[],
  text: string,
): readonly ComboboxOption[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ label, detail }: ComboboxOption): boolean => {
    const content = `${label} ${detail ?? ''}`.toLocaleLowerCase();
    return words.every((word) => content.includes(word));
  };
  return options.filter(matches).slice(0, 50);
}
