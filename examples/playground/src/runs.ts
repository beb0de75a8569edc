import type { DocumentNode } from 'graphql';
import { create } from 'zustand';
import type { TracedOperation } from '../../ui/calls.ts';

export interface Run {
  /** The person, or the service account. Null if the gateway has no people to choose from. */
  readonly actor: string | null;
  /** The operation as it was sent. Null if it cannot be parsed. */
  readonly document: DocumentNode | null;
  /** With its calls: that of the run before until this one has reported its own. Null if the gateway reports none. */
  readonly traced: TracedOperation | null;
  readonly isTraced: boolean;
  readonly failure: string | null;
}

interface Runs {
  readonly activeTab: string;
  readonly byTab: Readonly<Record<string, Run>>;
}

export const useRuns = create<Runs>(() => ({ activeTab: '', byTab: {} }));

const none: Run = { actor: null, document: null, traced: null, isTraced: false, failure: null };

export function setRun(tab: string, run: Partial<Run> | null): void {
  useRuns.setState(({ byTab: { [tab]: before, ...others } }) => ({
    byTab: run === null ? others : { ...others, [tab]: { ...none, ...before, ...run } },
  }));
}

export function forgetRuns(): void {
  useRuns.setState({ byTab: {} });
}

export function useRun(): Run | undefined {
  return useRuns(({ activeTab, byTab }) => byTab[activeTab]);
}
