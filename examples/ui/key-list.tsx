interface KeyListProps {
  readonly keys: readonly (readonly [keys: readonly string[], does: string])[];
}

export function KeyList({ keys }: KeyListProps) {
  return (
    <dl className="key-list">
      {keys.map(([names, does]) => (
        <div key={does}>
          <dt>
            {names.map((name) => (
              <kbd key={name}>{name}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}
