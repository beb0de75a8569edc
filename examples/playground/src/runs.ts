import type { DocumentNode } from 'graphql';
import type { TracedOperation } from '../../ui/calls.ts';
import { createStore, useStore } from '../../ui/store.ts';

export interface Run {
  /** The person, or the service account. Null if the gateway has no people to choose from. */
  readonly actor: string | null;
  /** The operation as it was sent. Null if it cannot be parsed. */
  readonly document: DocumentNode | null;
  /** With its calls: that of the run before until this one has reported its own. Null if the gateway reports none. */
  readonly traced: TracedOperation | null;
  readonly isTraced: boolean;
  readonly failure: string | null;
  /** A result that came while another tab was shown. */
  readonly lateResponse: string | null;
}

interface Runs {
  readonly activeTab: string;
  readonly byTab: Readonly<Record<string, Run>>;
}

export const runs = createStore<Runs>({ activeTab: '', byTab: {} });

const none: Run = {
  actor: null,
  document: null,
  traced: null,
  isTraced: false,
  failure: null,
  lateResponse: null,
};

export function setActiveTab(activeTab: string): void {
  runs.set({ ...runs.get(), activeTab });
}

export function setRun(tab: string, run: Partial<Run> | null): void {
  const { activeTab, byTab } = runs.get();
  const { [tab]: before, ...others } = byTab;
  const next = run === null ? others : { ...others, [tab]: { ...none, ...before, ...run } };
  runs.set({ activeTab, byTab: next });
}

export function forgetRuns(): void {
  runs.set({ ...runs.get(), byTab: {} });
}

export function useRun(): Run | undefined {
  const { activeTab, byTab } = useStore(runs);
  return byTab[activeTab];
}
