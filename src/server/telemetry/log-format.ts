import { prettyFactory } from 'pino-pretty';
import { printable, printableLines } from '../../model/common.ts';

type Entry = Readonly<Record<string, unknown>>;

/**
 * Creates a function that turns JSON log lines into text for people. It accepts several complete lines at once, and
 * passes on lines that are not JSON.
 */
export function createLogFormatter(colors: boolean): (lines: string) => string {
  const format = prettyFactory({
    colorize: colors,
    translateTime: 'SYS:HH:MM:ss.l',
    customPrettifiers: Object.fromEntries(textFields.map((name) => [name, String])),
  });
  const formatLine = (line: string): string => {
    const entry = parseEntry(line);
    return entry === null ? `${printable(line)}\n` : format(summarize(entry));
  };
  return (lines) => lines.trimEnd().split('\n').map(formatLine).join('');
}

const textFields = [
  'cause',
  'expected',
  'got',
  'reason',
  'request',
  'requestId',
  'signal',
  'stack',
] as const;

function parseEntry(line: string): Entry | null {
  try {
    const entry: unknown = JSON.parse(line, (name, value: unknown) => {
      if (typeof value !== 'string') return value;
      return name === 'stack' ? printableLines(value) : printable(value);
    });
    return typeof entry === 'object' && entry !== null ? (entry as Entry) : null;
  } catch {
    return null;
  }
}

function summarize(entry: Entry): Entry {
  const { level, time, worker, ...fields } = entry;
  const { msg, ...rest } = summaryOf(fields);
  const message = typeof worker === 'number' ? `${String(msg)} (worker ${worker})` : msg;
  const present = Object.entries(rest).filter(([, value]) => value !== null);
  return { level, time, msg: message, ...Object.fromEntries(present) };
}

function summaryOf(fields: Entry): Entry {
  if (fields['msg'] === 'request') return requestSummary(fields);
  if (fields['msg'] !== 'failure') {
    // pino-pretty prints `pid` in front of the message.
    const { pid, ...rest } = fields;
    return pid === undefined ? rest : { ...rest, process: pid };
  }
  const { code, ...rest } = fields;
  return { ...rest, msg: `failure ${String(code)}` };
}

function requestSummary({ requestId, ...fields }: Entry): Entry {
  const { kind, type, operation, ms, calls, outcome, status } = fields;
  const what = [type ?? kind, operation].filter((text) => typeof text === 'string').join(' ');
  const result = typeof status === 'number' ? `${String(outcome)}, ${status}` : String(outcome);
  const cost = `${String(ms)} ms, ${String(calls)} ${calls === 1 ? 'call' : 'calls'}`;
  return {
    msg: `${what}: ${result}, ${cost}`,
    ...(outcome === 'OK' ? {} : { requestId }),
  };
}
