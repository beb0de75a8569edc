#!/usr/bin/env node
/*
 * Starts main.ts with the compile cache of Node: the second start takes half the time and less memory, because types
 * are not stripped again. This file is JavaScript so that it has no types to strip.
 *
 * The cache is in node_modules, not in the shared temporary folder, where another user could put code into it. If the
 * folder cannot be written, the start only takes longer.
 */
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

const { bun, deno } = process.versions;
if (bun !== undefined || deno !== undefined) {
  const runtime = bun === undefined ? `Deno ${deno}` : `Bun ${bun}`;
  process.stderr.write(`The gateway is tested with Node only, and this is ${runtime}.\n`);
}

// An older Node reads no TypeScript. It would report a syntax error of some file.
const requiredNode = 24;
if (Number.parseInt(process.versions.node, 10) < requiredNode) {
  process.stderr.write(
    `Node ${requiredNode} or newer is required, and this is Node ${process.versions.node}. In a clone of the project, \`npm start\` uses the one that \`npm ci\` installs on Linux and Windows.\n`,
  );
  process.exit(1);
}

/*
 * Turns off a heuristic of V8 (pretenuring), which would allocate objects of requests in the old generation. There they
 * stay until the next major collection, with everything that they reference. bench/NOTES.md has the figures.
 */
setFlagsFromString('--no-allocation-site-pretenuring');

// Deno has no compile cache.
module.enableCompileCache?.(
  fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)),
);
await import('./main.ts');
