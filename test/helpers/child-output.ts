import type { ChildProcess } from 'node:child_process';

/** Returns a function that returns what a process has written to both streams so far. */
export function collectOutput({ stdout, stderr }: ChildProcess): () => string {
  let output = '';
  for (const stream of [stdout, stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  return () => output;
}
