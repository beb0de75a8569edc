import type { ScreenCost } from './calls.ts';

export type Language = 'en' | 'de';

const english = {
  title: 'Cost of this screen',
  page: 'This page',
  operation: 'This operation',
  argument: '{subject} needs {calls} {inRounds}; the gateway made {rounds}.',
  noCalls: '{subject} needs no REST call.',
  withGateway: 'With the gateway',
  withoutGateway: 'Without it',
  requests: 'Requests',
  rounds: 'Rounds',
  oneRound: 'one round',
  inOneRound: 'in one round',
  waiting: 'Waiting',
  latency: 'Network latency',
  help: 'How this is counted',
  explanation:
    'Without the gateway, a front end sends each distinct REST call itself, and waits once per round: a call of the next round needs the answer of an earlier one. Waiting is rounds × latency, without the time of the DMS.',
  calls: 'REST calls',
  call: 'Call',
  round: 'Round',
  source: 'Source',
  status: 'Status',
  start: 'Start',
  duration: 'Duration',
  dms: 'sent',
  shared: 'shared',
  cache: 'cached',
  attempt: 'attempt',
  none: 'No REST call',
  inspect: 'Inspect',
  inspectInPlayground: 'Inspect {name} in the playground',
  openInPlayground: 'Open in the playground',
};

const german: typeof english = {
  title: 'Kosten dieser Seite',
  page: 'Diese Seite',
  operation: 'Diese Operation',
  argument: '{subject} braucht {calls} {inRounds}; das Gateway machte {rounds}.',
  noCalls: '{subject} braucht keinen REST-Aufruf.',
  withGateway: 'Mit dem Gateway',
  withoutGateway: 'Ohne Gateway',
  requests: 'Anfragen',
  rounds: 'Runden',
  oneRound: 'eine Runde',
  inOneRound: 'in einer Runde',
  waiting: 'Wartezeit',
  latency: 'Netzlatenz',
  help: 'Wie das gezählt ist',
  explanation:
    'Ohne das Gateway sendet ein Front-End jeden der verschiedenen REST-Aufrufe selbst und wartet einmal je Runde: Ein Aufruf der nächsten Runde braucht die Antwort eines früheren. Die Wartezeit ist Runden × Latenz, ohne die Zeit des DMS.',
  calls: 'REST-Aufrufe',
  call: 'Aufruf',
  round: 'Runde',
  source: 'Quelle',
  status: 'Status',
  start: 'Beginn',
  duration: 'Dauer',
  dms: 'gesendet',
  shared: 'geteilt',
  cache: 'aus dem Cache',
  attempt: 'Versuch',
  none: 'Kein REST-Aufruf',
  inspect: 'Untersuchen',
  inspectInPlayground: '{name} im Playground untersuchen',
  openInPlayground: 'Im Playground öffnen',
};

const plurals: Readonly<Record<Language, Readonly<Record<string, readonly [string, string]>>>> = {
  en: {
    query: ['query', 'queries'],
    mutation: ['mutation', 'mutations'],
    subscription: ['subscription', 'subscriptions'],
    file: ['file', 'files'],
    call: ['REST call', 'REST calls'],
    round: ['round', 'rounds'],
  },
  de: {
    query: ['Abfrage', 'Abfragen'],
    mutation: ['Mutation', 'Mutationen'],
    subscription: ['Abonnement', 'Abonnements'],
    file: ['Datei', 'Dateien'],
    call: ['REST-Aufruf', 'REST-Aufrufe'],
    round: ['Runde', 'Runden'],
  },
};

export const texts: Readonly<Record<Language, typeof english>> = { en: english, de: german };

/** Writes a number with its noun, such as `3 queries`. */
export function counted(language: Language, noun: string, count: number): string {
  const number = new Intl.NumberFormat(language).format(count);
  return `${number} ${nounOf(language, noun, count)}`;
}

export function nounOf(language: Language, noun: string, count = 1): string {
  return plurals[language][noun]![count === 1 ? 0 : 1];
}

/** Writes what a screen costs as a sentence. A single round is a word: that is the point. */
export function argumentOf(
  language: Language,
  subject: string,
  { calls, callRounds, rounds }: ScreenCost,
): string {
  const t = texts[language];
  const values: Readonly<Record<string, string>> = {
    subject,
    calls: counted(language, 'call', calls),
    inRounds: callRounds === 1 ? t.inOneRound : `in ${counted(language, 'round', callRounds)}`,
    rounds: rounds === 1 ? t.oneRound : counted(language, 'round', rounds),
  };
  const text = calls === 0 ? t.noCalls : t.argument;
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}
