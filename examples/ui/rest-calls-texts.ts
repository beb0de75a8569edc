import type { ScreenCost } from './calls.ts';
import type { TranslateTo } from './text.ts';

/** German by English. */
export const germanRestCalls = {
  'Cost of this screen': 'Kosten dieser Seite',
  'This page': 'Diese Seite',
  'This operation': 'Diese Operation',
  '{subject} needs {calls} {inRounds}; the gateway made {rounds}.':
    '{subject} braucht {calls} {inRounds}; das Gateway machte {rounds}.',
  '{subject} needs no REST call.': '{subject} braucht keinen REST-Aufruf.',
  'With the gateway': 'Mit dem Gateway',
  'Without it': 'Ohne Gateway',
  Requests: 'Anfragen',
  Rounds: 'Runden',
  'one round': 'eine Runde',
  'in one round': 'in einer Runde',
  Waiting: 'Wartezeit',
  'Network latency': 'Netzlatenz',
  'How this is counted': 'Wie das gezählt ist',
  'Without the gateway, a front end sends each distinct REST call itself, and waits once per round: a call of the next round needs the answer of an earlier one. Waiting is rounds × latency, without the time of the DMS.':
    'Ohne das Gateway sendet ein Front-End jeden der verschiedenen REST-Aufrufe selbst und wartet einmal je Runde: Ein Aufruf der nächsten Runde braucht die Antwort eines früheren. Die Wartezeit ist Runden × Latenz, ohne die Zeit des DMS.',
  Call: 'Aufruf',
  Round: 'Runde',
  Source: 'Quelle',
  Status: 'Status',
  Start: 'Beginn',
  Duration: 'Dauer',
  sent: 'gesendet',
  shared: 'geteilt',
  cached: 'aus dem Cache',
  attempt: 'Versuch',
  'No REST call': 'Kein REST-Aufruf',
  Inspect: 'Untersuchen',
  'Inspect {name} in the playground': '{name} im Playground untersuchen',
  'Open in the playground': 'Im Playground öffnen',
  query: 'Abfrage',
  queries: 'Abfragen',
  mutation: 'Mutation',
  mutations: 'Mutationen',
  subscription: 'Abonnement',
  subscriptions: 'Abonnements',
  file: 'Datei',
  files: 'Dateien',
  round: 'Runde',
  rounds: 'Runden',
  'REST call': 'REST-Aufruf',
  'REST calls': 'REST-Aufrufe',
} as const;

const plurals = {
  query: 'queries',
  mutation: 'mutations',
  subscription: 'subscriptions',
  file: 'files',
  round: 'rounds',
  'REST call': 'REST calls',
} as const;

/** How a page writes: a page in English alone has no dictionary. */
export interface Texts {
  readonly t: TranslateTo<keyof typeof germanRestCalls>;
  readonly language: string;
}

export function counted({ t, language }: Texts, noun: keyof typeof plurals, count: number): string {
  const number = new Intl.NumberFormat(language).format(count);
  return `${number} ${t(count === 1 ? noun : plurals[noun])}`;
}

/** Writes what a screen costs as a sentence. A single round is a word: that is the point. */
export function argumentOf(
  texts: Texts,
  subject: string,
  { calls, callRounds, rounds }: ScreenCost,
): string {
  const { t } = texts;
  if (calls === 0) return t('{subject} needs no REST call.', { subject });
  return t('{subject} needs {calls} {inRounds}; the gateway made {rounds}.', {
    subject,
    calls: counted(texts, 'REST call', calls),
    inRounds: callRounds === 1 ? t('in one round') : `in ${counted(texts, 'round', callRounds)}`,
    rounds: rounds === 1 ? t('one round') : counted(texts, 'round', rounds),
  });
}
