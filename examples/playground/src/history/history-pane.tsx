import type { GraphiQLPlugin } from '@graphiql/react';
import { useOpenOperation } from '../examples/use-open-operation.ts';
import { Icon } from '../../../ui/icon.tsx';
import { useStore } from '../../../ui/store.ts';
import { actorName, session } from '../session.ts';
import { pastOperations, removeFromHistory, type PastOperation } from './history.ts';

export const historyPlugin: GraphiQLPlugin = {
  title: 'History',
  icon: () => <Icon name="history" />,
  content: HistoryPane,
};

function HistoryPane() {
  const operations = useStore(pastOperations);
  const open = useOpenOperation();
  useStore(session.state); // for the names of the people
  if (operations.length === 0) return <p className="muted">Operations that you run appear here.</p>;
  return (
    <div className="history">
      <ul>
        {operations.map((operation, index) => {
          const label = operation.name || operation.query.trim();
          return (
            <li key={index}>
              <button
                type="button"
                className="history-operation"
                title={operation.query}
                onClick={() => open(operation)}
              >
                <span className="clip">{label}</span>
                <span className="muted small">{lastRun(operation)}</span>
              </button>
              <button
                type="button"
                className="button button-quiet button-icon"
                aria-label={`Remove ${label.slice(0, 60)}`}
                onClick={() => removeFromHistory(operation)}
              >
                <Icon name="close" />
              </button>
            </li>
          );
        })}
      </ul>
      <button type="button" className="button" onClick={() => removeFromHistory()}>
        Remove all
      </button>
    </div>
  );
}

const format = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

function lastRun({ atMs, personId = null }: PastOperation): string {
  if (atMs === undefined) return '';
  return [format.format(atMs), actorName(personId)].filter(Boolean).join(' · ');
}
