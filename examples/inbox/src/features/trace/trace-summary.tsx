import { Icon } from '../../components/icon.tsx';
import { useFormat } from '../../language/format.ts';
import { useText, type Label } from '../../language/text.ts';
import type { TracedOperation } from './trace.ts';

/** What an operation costs with the gateway and without it, with a link that opens it in the playground. */
export function TraceSummary({ operation }: { readonly operation: TracedOperation }) {
  const { calls, callsWithout, kind, query } = operation;
  const t = useText();
  const format = useFormat();
  const countOf = (source: string): number => calls.filter((call) => call.source === source).length;
  const figures: readonly (readonly [label: Label, count: number])[] = [
    ['GraphQL request', 1],
    [countOf('dms') === 1 ? 'REST call' : 'REST calls', countOf('dms')],
    ['shared', countOf('shared')],
    ['from the cache', countOf('cache')],
  ];
  return (
    <div className="trace-summary">
      <dl>
        {figures
          .filter(([, count], index) => index < 2 || count > 0)
          .map(([label, count]) => (
            <div key={label}>
              <dd>{format.count(count)}</dd>
              <dt>{t(label)}</dt>
            </div>
          ))}
        {kind === 'query' && callsWithout > 0 && (
          <div
            className="trace-summary-without"
            title={t('One call for each list, and one for each other object that is shown.')}
          >
            <dd>{format.count(callsWithout)}</dd>
            <dt>{t('REST calls without the gateway')}</dt>
          </div>
        )}
      </dl>
      {kind === 'query' && (
        <a
          className="button"
          href={`/graphql?query=${encodeURIComponent(query)}`}
          target="_blank"
          rel="noreferrer"
        >
          <Icon name="play" />
          {t('Open in the playground')}
        </a>
      )}
    </div>
  );
}
