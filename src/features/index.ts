import { agents } from './agents/index.ts';
import { compiledExecution } from './compiled-execution/index.ts';
import { dmsCommands } from './dms-commands/index.ts';
import { federation } from './federation/index.ts';
import { forms } from './forms/index.ts';
import { incremental } from './incremental/index.ts';
import { persistedDocuments } from './persisted-documents/index.ts';
import { playground } from './playground/index.ts';
import { redis } from './redis/index.ts';
import { sandboxInbox } from './sandbox-inbox/index.ts';
import { subscriptions } from './subscriptions/index.ts';
import { tracing } from './tracing/index.ts';

export const features = [
  compiledExecution,
  subscriptions,
  incremental,
  federation,
  redis,
  tracing,
  persistedDocuments,
  agents,
  playground,
  sandboxInbox,
  dmsCommands,
  forms,
] as const;
