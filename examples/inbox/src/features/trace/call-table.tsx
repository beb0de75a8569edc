import { useFormat } from '../../language/format.ts';
import { useText, type Label } from '../../language/text.ts';
import type { UpstreamCall } from './trace.ts';

interface CallTableProps {
  /** Name of the operation. */
  readonly name: string;
  readonly calls: readonly UpstreamCall[];
}

const sources: Readonly<Record<UpstreamCall['source'], Label>> = {
  dms: 'Called',
  shared: 'Shared',
  cache: 'Cached',
};

/** The calls as a table whose last column is a waterfall. The bars repeat the numbers for the eye. */
export function CallTable({ name, calls }: CallTableProps) {
  const t = useText();
  const format = useFormat();
  const totalMs = Math.max(...calls.map(({ startMs, ms }) => startMs + ms), 1);
  const milliseconds = (ms: number): string => format.number(ms.toFixed(1));
  const percent = (ms: number): string => `${(ms / totalMs) * 100}%`;
  return (
    <div
      className="scroll-x"
      role="region"
      aria-label={t('Calls of {name}', { name })}
      tabIndex={0}
    >
      <table className="call-table">
        <caption className="small muted">
          {t('Calls of {name}: {count} in {ms} ms', {
            name,
            count: calls.length,
            ms: milliseconds(totalMs),
          })}
        </caption>
        <thead>
          <tr>
            <th scope="col">{t('Call')}</th>
            <th scope="col">{t('Source')}</th>
            <th scope="col">{t('Status')}</th>
            <th scope="col" className="number">
              {t('Start, ms')}
            </th>
            <th scope="col" className="number">
              {t('Duration, ms')}
            </th>
            <th scope="col" className="call-table-axis" aria-hidden="true">
              <span>0</span>
              <span>{milliseconds(totalMs)} ms</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {calls.map(({ route, fields, embed, source, status, startMs, ms, attempt }, index) => (
            <tr key={index}>
              <th scope="row">
                <code>{route}</code>
                {attempt > 1 && ` (${t('attempt {attempt}', { attempt })})`}
                {fields && (
                  <span className="call-table-projection">fields={fields.join(', ')}</span>
                )}
                {embed && <span className="call-table-projection">embed={embed.join(', ')}</span>}
              </th>
              <td>
                <span className={`badge call-table-${source}`}>{t(sources[source])}</span>
              </td>
              <td>{status ?? '–'}</td>
              <td className="number">{milliseconds(startMs)}</td>
              <td className="number">{milliseconds(ms)}</td>
              <td aria-hidden="true" className="call-table-track">
                <span
                  className={`call-table-bar call-table-${source}`}
                  style={{ marginInlineStart: percent(startMs), width: percent(ms) }}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
