import type { Person } from './session.ts';

interface PersonMenuProps {
  readonly label: string;
  readonly people: readonly Person[];
  /** System ID. Null: the account of the gateway. */
  readonly personId: string | null;
  readonly account: string;
  readonly onChoose: (personId: string | null) => void;
}

export function PersonMenu({ label, people, personId, account, onChoose }: PersonMenuProps) {
  return (
    <label className="person-menu">
      <span>{label}</span>
      <select
        value={personId ?? ''}
        onChange={({ currentTarget }) => onChoose(currentTarget.value || null)}
      >
        <option value="">{account}</option>
        {people.map(({ systemId, name, unit, roles }) => (
          <option key={systemId} value={systemId}>
            {[name, unit, ...roles].join(' · ')}
          </option>
        ))}
      </select>
    </label>
  );
}
