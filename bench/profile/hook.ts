/**
 * Loaded before a contestant's own code (`node --import`). SIGUSR2 starts a profile, and the next SIGUSR2 writes it to
 * PROFILE_TO. It contains only the requests between them, without the start. PROFILE_KIND selects CPU time (the
 * default) or allocated memory (`allocations`).
 */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';

const session = new Session();
session.connect();
const isOfAllocations = process.env['PROFILE_KIND'] === 'allocations';
session.post('Profiler.enable');
session.post('Profiler.setSamplingInterval', { interval: 250 });
let running = false;

process.on('SIGUSR2', () => {
  if (running) stop();
  else start();
  running = !running;
});

function start(): void {
  if (!isOfAllocations) session.post('Profiler.start');
  else {
    session.post('HeapProfiler.startSampling', {
      samplingInterval: 4096,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    });
  }
}

function stop(): void {
  if (isOfAllocations) {
    session.post('HeapProfiler.stopSampling', (error, result) => write(error, result?.profile));
  } else session.post('Profiler.stop', (error, result) => write(error, result?.profile));
}

function write(error: Error | null, profile: unknown): void {
  const to = process.env['PROFILE_TO'];
  if (error === null && to !== undefined) writeFileSync(to, JSON.stringify(profile));
}
