import { PrimaryConnection } from './primary-connection.ts';
import type { ToWorker } from './messages.ts';

const limitMs = 1250; // more than the primary takes to gather answers

/** In a worker, once: the line to the primary that started it. */
export function connectToPrimary(): PrimaryConnection {
  let isListening = false;
  const primary = new PrimaryConnection((message, sent) => {
    isListening ||= message.kind === 'listening';
    // Without a callback a channel that closes just now would be an error of the whole process.
    if (process.connected) process.send?.(message, undefined, undefined, () => sent?.());
    else sent?.();
  }, limitMs);
  process.on('message', (message: ToWorker) => primary.receive(message));
  process.once('disconnect', () => {
    if (!isListening) process.exit(1); // there is no request to let end
    primary.lose();
  });
  return primary;
}
