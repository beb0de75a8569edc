import { Fragment, useId, useState } from 'react';
import { callsInRounds, costOf, type TracedOperation, type UpstreamCall } from './calls.ts';
import { InspectLink } from './inspect-link.tsx';
import { argumentOf, counted, type Texts } from './rest-calls-texts.ts';
import { readStorage, writeStorage } from './storage.ts';
import './rest-calls.css';

interface RestCallsProps {
  readonly operations: readonly TracedOperation[];
  readonly subject: 'This page' | 'This operation';
  readonly personId: string | null;
  readonly texts: Texts;
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

function Cost({ operations, subject, texts }: RestCallsProps) {
  const { t, language } = texts;
  const id = useId();
  const [latencyMs, setLatencyMs] = useState<number>(
    () => latencies.find((ms) => `${ms}` === readStorage('localStorage', latencyKey)) ?? 80,
  );
  const choose = (ms: number): void => {
    setLatencyMs(ms);
    writeStorage('localStorage', latencyKey, `${ms}`);
  };
  const cost = costOf(operations);
  const argument = argumentOf(texts, t(subject), cost);
  if (cost.calls === 0) return <p className="rest-calls-argument">{argument}</p>;
  const sent = (['query', 'mutation', 'subscription', 'file'] as const)
    .filter((kind) => cost[kind] > 0)
    .map((kind) => counted(texts, kind, cost[kind]));
  const rows = [
    {
      tone: 'gateway',
      name: t('With the gateway'),
      requests: sent.join(', '),
      rounds: cost.rounds,
    },
    {
      tone: 'direct',
      name: t('Without it'),
      requests: counted(texts, 'REST call', cost.calls),
      rounds: cost.callRounds,
    },
  ];
  const mostRounds = Math.max(cost.rounds, cost.callRounds, 1);
  return (
    <section className="rest-calls-cost" aria-label={t('Cost of this screen')}>
      <p className="rest-calls-argument">{argument}</p>
      <table>
        <thead className="visually-hidden">
          <tr>
            {(['Cost of this screen', 'Requests', 'Rounds', 'Waiting'] as const).map((name) => (
              <th key={name} scope="col">
                {t(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ tone, name, requests, rounds }) => (
            <tr key={tone}>
              <th scope="row">{name}</th>
              <td>{requests}</td>
              <td>{counted(texts, 'round', rounds)}</td>
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
          <legend>{t('Network latency')}</legend>
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
          <summary
            className="button button-icon"
            aria-label={t('How this is counted')}
            title={t('How this is counted')}
          >
            ?
          </summary>
          <p>
            {t(
              'Without the gateway, a front end sends each distinct REST call itself, and waits once per round: a call of the next round needs the answer of an earlier one. Waiting is rounds × latency, without the time of the DMS.',
            )}
          </p>
        </details>
      </div>
    </section>
  );
}

function Calls({ operations, personId, texts }: RestCallsProps) {
  const { t } = texts;
  return (
    <table className="rest-calls-table">
      <caption className="visually-hidden">{t('REST calls')}</caption>
      <thead>
        <tr>
          {(['Call', 'Round', 'Source', 'Status', 'Start', 'Duration'] as const).map((name) => (
            <th
              key={name}
              scope="col"
              className={['Call', 'Source'].includes(name) ? undefined : 'number'}
            >
              {t(name)}
            </th>
          ))}
          <td aria-hidden="true" />
        </tr>
      </thead>
      {operations.map((operation) => (
        <OperationCalls key={operation.id} traced={operation} personId={personId} texts={texts} />
      ))}
    </table>
  );
}

interface OperationCallsProps {
  readonly traced: TracedOperation;
  readonly personId: string | null;
  readonly texts: Texts;
}

const sources = { dms: 'sent', shared: 'shared', cache: 'cached' } as const;
const tones = { dms: 'active', shared: 'neutral', cache: 'done' } as const;

/** The calls of an operation. The bars repeat the numbers for the eye. */
function OperationCalls({ traced, personId, texts }: OperationCallsProps) {
  const { t, language } = texts;
  const { name, kind, ms, operation } = traced;
  const calls = callsInRounds(traced.calls);
  const totalMs = Math.max(...calls.map((call) => call.startMs + call.ms), 1);
  const sourcesOf = (): string =>
    (['dms', 'shared', 'cache'] as const)
      .map(
        (source) =>
          [calls.filter((call) => call.source === source).length, t(sources[source])] as const,
      )
      .filter(([count]) => count > 0)
      .map(([count, label]) => `${count} ${label}`)
      .join(', ');
  return (
    <tbody>
      <tr className="rest-calls-operation">
        <th scope="rowgroup" colSpan={7}>
          <span>
            <span className="muted">{t(kind)}</span> {name}{' '}
            <span className="muted">
              {[sourcesOf() || t('No REST call'), milliseconds(ms, language)].join(' · ')}
            </span>
          </span>
          {operation && (
            <InspectLink operation={operation} name={name} personId={personId} texts={texts} />
          )}
        </th>
      </tr>
      {calls.map((call, index) => (
        <CallRow key={index} call={call} totalMs={totalMs} texts={texts} />
      ))}
    </tbody>
  );
}

interface CallRowProps {
  readonly call: UpstreamCall & { readonly round: number };
  readonly totalMs: number;
  readonly texts: Texts;
}

function CallRow({ call, totalMs, texts }: CallRowProps) {
  const { t, language } = texts;
  const { route, path, fields, embed, source, status, startMs, ms, attempt, round } = call;
  const percent = (duration: number): string => `${(duration / totalMs) * 100}%`;
  return (
    <tr>
      <th scope="row">
        <code>
          {route.split(' ')[0]} {path}
        </code>
        {attempt > 1 && ` (${t('attempt')} ${attempt})`}
        <Parameter name="fields" values={fields} />
        <Parameter name="embed" values={embed} />
      </th>
      <td className="number">{round}</td>
      <td>
        <span className={`badge badge-${tones[source]}`}>{t(sources[source])}</span>
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

interface ParameterProps {
  readonly name: string;
  readonly values: readonly string[] | undefined;
}

/** A parameter of a call. A long one breaks after commas. */
function Parameter({ name, values }: ParameterProps) {
  if (!values) return null;
  return (
    <code className="muted">
      {name}=
      {values.map((value, index) => (
        <Fragment key={value}>
          {value}
          {index < values.length - 1 && ','}
          <wbr />
        </Fragment>
      ))}
    </code>
  );
}

function milliseconds(ms: number, language: string): string {
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: ms < 10 ? 1 : 0 });
  return `${format.format(ms)} ms`;
}
