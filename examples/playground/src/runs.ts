import type { DocumentNode } from 'graphql';
import { create } from 'zustand';
import type { TracedOperation } from '../../ui/calls.ts';

/** The last operation that was run in a tab. */
export interface Run {
  /** The person, or the service account. Null if the gateway has no people to choose from. */
  readonly actor: string | null;
  /** The operation as it was sent. Null if it cannot be parsed. */
  readonly document: DocumentNode | null;
  /** With its calls: that of the run before until this one has reported its own. Null if the gateway reports none. */
  readonly traced: TracedOperation | null;
  /** Whether `traced` is that of this run. */
  readonly isTraced: boolean;
  /** Why there is no result. */
  readonly failure: string | null;
}

interface Runs {
  /** ID of the tab that is shown. */
  readonly activeTab: string;
  readonly byTab: Readonly<Record<string, Run>>;
}

/** The last run of each tab. */
export const useRuns = create<Runs>(() => ({ activeTab: '', byTab: {} }));

const none: Run = { actor: null, document: null, traced: null, isTraced: false, failure: null };

/** Adds to the run of a tab. Null: nothing was run there. */
export function setRun(tab: string, run: Partial<Run> | null): void {
  useRuns.setState(({ byTab: { [tab]: before, ...others } }) => ({
    byTab: run === null ? others : { ...others, [tab]: { ...none, ...before, ...run } },
  }));
}

/** Forgets all runs, such as those of another person. */
export function forgetRuns(): void {
  useRuns.setState({ byTab: {} });
}

/** Returns the last run of the tab that is shown. */
export function useRun(): Run | undefined {
  return useRuns(({ activeTab, byTab }) => byTab[activeTab]);
}
