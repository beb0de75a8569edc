import { PrimaryConnection } from './primary-connection.ts';
import type { ToWorker } from './messages.ts';

const limitMs = 1250; // longer than the primary waits for the other workers' answers

/**
 * Connects this worker to the primary that started it, over the IPC channel of the process. Called once. If the primary
 * disappears before the worker listens, the worker exits.
 */
export function connectToPrimary(): PrimaryConnection {
  let isListening = false;
  const primary = new PrimaryConnection((message, sent) => {
    isListening ||= message.kind === 'listening';
    // Without a callback, sending on a channel that is just closing would raise an error in the process.
    if (process.connected) process.send?.(message, undefined, undefined, () => sent?.());
    else sent?.();
  }, limitMs);
  process.on('message', (message: ToWorker) => primary.receive(message));
  process.once('disconnect', () => {
    if (!isListening) process.exit(1); // no request is running
    primary.lose();
  });
  return primary;
}
