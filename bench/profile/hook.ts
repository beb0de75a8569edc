/**
 * Loaded before a contestant's own code (`node --import`). SIGUSR2 starts a CPU profile, and the next SIGUSR2 writes it
 * to PROFILE_TO. It contains only the requests between them, without the start.
 */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.setSamplingInterval', { interval: 250 });
let running = false;

process.on('SIGUSR2', () => {
  if (!running) session.post('Profiler.start');
  else {
    session.post('Profiler.stop', (error, result) => {
      const to = process.env['PROFILE_TO'];
      if (error === null && to !== undefined) writeFileSync(to, JSON.stringify(result.profile));
    });
  }
  running = !running;
});
