import { useGraphiQLActions, type GraphiQLPlugin } from '@graphiql/react';
import { parse, validate } from 'graphql';
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { Icon } from '../../../ui/icon.tsx';
import { useSchema } from '../schema.ts';
import { isWide } from '../frame/media.ts';
import { examples } from './bundled.ts';
import { searchExamples, type Example } from './examples.ts';
import { useOpenOperation } from './use-open-operation.ts';

export const examplesPlugin: GraphiQLPlugin = {
  title: 'Examples',
  icon: () => <Icon name="examples" />,
  content: ExamplesPane,
};

function ExamplesPane() {
  const id = useId();
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => search.current?.focus(), []); // the user has just opened this pane
  const [text, setText] = useState('');
  const [activeIndex, setActiveIndex] = useState(0);
  const open = useOpenOperation();
  const { setVisiblePlugin } = useGraphiQLActions();
  const found = searchExamples(useAccepted(), text);
  const choose = (example: Example): void => {
    open(example);
    if (!isWide()) setVisiblePlugin(null);
  };
  const setActive = (index: number): void => {
    setActiveIndex(index);
    document.getElementById(`${id}-${index}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const target = {
      ArrowDown: (activeIndex + 1) % found.length,
      ArrowUp: (activeIndex + found.length - 1) % found.length,
    }[event.key];
    const example = found[activeIndex];
    if (target !== undefined && found.length > 0) setActive(target);
    else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && example) choose(example);
    else return;
    event.preventDefault();
  };
  return (
    <section className="examples" aria-label="Examples">
      <input
        type="search"
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${activeIndex}` : undefined}
        aria-label="Search examples"
        placeholder="Search examples"
        ref={search}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setActiveIndex(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} role="listbox" aria-label="Examples">
        {[...Map.groupBy(found, ({ group }) => group)].map(([group, members]) => (
          <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
            <div id={`${id}-${group}`} role="presentation" className="example-group">
              {group}
            </div>
            {members.map((example) => {
              const index = found.indexOf(example);
              return (
                // The keys are those of the search.
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
                <div
                  key={example.name}
                  id={`${id}-${index}`}
                  role="option"
                  tabIndex={-1}
                  className="example"
                  aria-selected={index === activeIndex}
                  onClick={() => choose(example)}
                >
                  <strong>{example.name}</strong>
                  {example.type === 'mutation' && (
                    <span className="badge badge-paused">changes data</span>
                  )}
                  <span className="example-description">{example.description}</span>
                </div>
              );
            })}
          </div>
        ))}
      </div>
      <p role="status" className="muted">
        {found.length === 0 && 'No example matches.'}
      </p>
    </section>
  );
}

/** The examples that the schema accepts: others are for a gateway that knows their forms. */
function useAccepted(): readonly Example[] {
  const schema = useSchema();
  return useMemo(
    () =>
      schema === null
        ? examples
        : examples.filter(({ query }) => validate(schema, parse(query)).length === 0),
    [schema],
  );
}
