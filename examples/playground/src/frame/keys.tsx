import { isMacOs } from '@graphiql/react';

const control = isMacOs ? '⌘' : 'Ctrl';

/** Keys and what they do. */
const keys: readonly (readonly [keys: readonly string[], what: string])[] = [
  [[control, 'Enter'], 'run the operation'],
  [['Ctrl', 'Space'], 'list the fields that fit'],
  [['Shift', 'Ctrl', 'P'], 'format the operation'],
];

/** The keys of the editor. */
export function Keys() {
  return (
    <dl className="keys">
      {keys.map(([names, what]) => (
        <div key={what}>
          <dt>
            {names.map((name) => (
              <kbd key={name}>{name}</kbd>
            ))}
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}
