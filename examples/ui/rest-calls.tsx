import { useId, useState } from 'react';
import { callsInRounds, costOf, type TracedOperation, type UpstreamCall } from './calls.ts';
import { InspectLink } from './inspect-link.tsx';
import { argumentOf, counted, nounOf, texts, type Language } from './rest-calls-texts.ts';
import { readStorage, writeStorage } from './storage.ts';
import './rest-calls.css';

interface RestCallsProps {
  readonly operations: readonly TracedOperation[];
  readonly screen: 'page' | 'operation';
  readonly personId: string | null;
  readonly language: Language;
}

/**
 * What a screen costs with the gateway and without it, and the REST calls behind each of its operations. The page loads
 * `tokens.css` and `components.css`.
 */
export function RestCalls(props: RestCallsProps) {
  return (
    <div className="rest-calls">
      <Cost {...props} />
      <Calls {...props} />
    </div>
  );
}

const latencies = [20, 80, 200] as const;

const latencyKey = 'rest-calls.latency';

function Cost({ operations, screen, language }: RestCallsProps) {
  const t = texts[language];
  const id = useId();
  const [latencyMs, setLatencyMs] = useState<number>(
    () => latencies.find((ms) => `${ms}` === readStorage('localStorage', latencyKey)) ?? 80,
  );
  const choose = (ms: number): void => {
    setLatencyMs(ms);
    writeStorage('localStorage', latencyKey, `${ms}`);
  };
  const cost = costOf(operations);
  const argument = argumentOf(language, t[screen], cost);
  if (cost.calls === 0) return <p className="rest-calls-argument">{argument}</p>;
  const sent = (['query', 'mutation', 'subscription', 'file'] as const)
    .filter((kind) => cost[kind] > 0)
    .map((kind) => counted(language, kind, cost[kind]));
  const rows = [
    { tone: 'gateway', name: t.withGateway, requests: sent.join(', '), rounds: cost.rounds },
    {
      tone: 'direct',
      name: t.withoutGateway,
      requests: counted(language, 'call', cost.calls),
      rounds: cost.callRounds,
    },
  ];
  const mostRounds = Math.max(cost.rounds, cost.callRounds, 1);
  return (
    <section className="rest-calls-cost" aria-label={t.title}>
      <p className="rest-calls-argument">{argument}</p>
      <table>
        <thead className="visually-hidden">
          <tr>
            {(['title', 'requests', 'rounds', 'waiting'] as const).map((name) => (
              <th key={name} scope="col">
                {t[name]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ tone, name, requests, rounds }) => (
            <tr key={tone}>
              <th scope="row">{name}</th>
              <td>{requests}</td>
              <td>{counted(language, 'round', rounds)}</td>
              <td className="rest-calls-waiting">
                <strong>{milliseconds(rounds * latencyMs, language)}</strong>
                <span className="rest-calls-scale">
                  <span
                    className={`rest-calls-bar rest-calls-${tone}`}
                    style={{ width: `${(rounds / mostRounds) * 100}%` }}
                  />
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="row">
        <fieldset className="segments">
          <legend>{t.latency}</legend>
          {latencies.map((ms) => (
            <label key={ms}>
              <input
                type="radio"
                name={id}
                checked={ms === latencyMs}
                onChange={() => choose(ms)}
              />
              <span>{milliseconds(ms, language)}</span>
            </label>
          ))}
        </fieldset>
        <details className="rest-calls-help muted small">
          <summary className="button button-icon" aria-label={t.help} title={t.help}>
            ?
          </summary>
          <p>{t.explanation}</p>
        </details>
      </div>
    </section>
  );
}

function Calls({ operations, personId, language }: RestCallsProps) {
  const t = texts[language];
  return (
    <table className="rest-calls-table">
      <caption className="visually-hidden">{t.calls}</caption>
      <thead>
        <tr>
          {(['call', 'round', 'source', 'status', 'start', 'duration'] as const).map((name) => (
            <th
              key={name}
              scope="col"
              className={['call', 'source'].includes(name) ? undefined : 'number'}
            >
              {t[name]}
            </th>
          ))}
          <td aria-hidden="true" />
        </tr>
      </thead>
      {operations.map((operation) => (
        <OperationCalls
          key={operation.id}
          traced={operation}
          personId={personId}
          language={language}
        />
      ))}
    </table>
  );
}

interface OperationCallsProps {
  readonly traced: TracedOperation;
  readonly personId: string | null;
  readonly language: Language;
}

/** The calls of an operation. The bars repeat the numbers for the eye. */
function OperationCalls({ traced, personId, language }: OperationCallsProps) {
  const t = texts[language];
  const { name, kind, ms, operation } = traced;
  const calls = callsInRounds(traced.calls);
  const totalMs = Math.max(...calls.map((call) => call.startMs + call.ms), 1);
  const sourcesOf = (): string =>
    (['dms', 'shared', 'cache'] as const)
      .map((source) => [calls.filter((call) => call.source === source).length, t[source]] as const)
      .filter(([count]) => count > 0)
      .map(([count, label]) => `${count} ${label}`)
      .join(', ');
  return (
    <tbody>
      <tr className="rest-calls-operation">
        <th scope="rowgroup" colSpan={7}>
          <span>
            <span className="muted">{nounOf(language, kind)}</span> {name}{' '}
            <span className="muted">
              {[sourcesOf() || t.none, milliseconds(ms, language)].join(' · ')}
            </span>
          </span>
          {operation && (
            <InspectLink
              operation={operation}
              name={name}
              personId={personId}
              language={language}
            />
          )}
        </th>
      </tr>
      {calls.map((call, index) => (
        <CallRow key={index} call={call} totalMs={totalMs} language={language} />
      ))}
    </tbody>
  );
}

interface CallRowProps {
  readonly call: UpstreamCall & { readonly round: number };
  readonly totalMs: number;
  readonly language: Language;
}

function CallRow({ call, totalMs, language }: CallRowProps) {
  const t = texts[language];
  const { route, path, fields, embed, source, status, startMs, ms, attempt, round } = call;
  const percent = (duration: number): string => `${(duration / totalMs) * 100}%`;
  return (
    <tr>
      <th scope="row">
        <code>
          {route.split(' ')[0]} {path}
        </code>
        {attempt > 1 && ` (${t.attempt} ${attempt})`}
        {fields && <code className="muted">fields={fields.join(',')}</code>}
        {embed && <code className="muted">embed={embed.join(',')}</code>}
      </th>
      <td className="number">{round}</td>
      <td>
        <span className={`badge rest-calls-${source}`}>{t[source]}</span>
      </td>
      <td className="number">{status ?? '–'}</td>
      <td className="number">{milliseconds(startMs, language)}</td>
      <td className="number">{milliseconds(ms, language)}</td>
      <td aria-hidden="true">
        <span
          className={`rest-calls-bar rest-calls-${source}`}
          style={{ marginInlineStart: percent(startMs), width: percent(ms) }}
        />
      </td>
    </tr>
  );
}

function milliseconds(ms: number, language: Language): string {
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: ms < 10 ? 1 : 0 });
  return `${format.format(ms)} ms`;
}
