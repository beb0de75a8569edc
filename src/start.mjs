/*
 * Starts main.ts with what was compiled the last time: half the time to start, and less memory, because the
 * types need not be stripped again. It is JavaScript so that it needs no stripping itself.
 *
 * The folder is beside the packages, not in the shared temporary one, where somebody else could put code into
 * it; where it cannot be written, nothing is lost but time.
 */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

/*
 * Much of what a request holds lives as long as an upstream call, so it is alive when the young generation is
 * collected, and V8 concludes that such objects had better be made in the old one. There, what is dead keeps all that
 * it refers to until the next full collection: whole requests. Measured in bench/NOTES.md.
 */
setFlagsFromString('--no-allocation-site-pretenuring');

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));
await import('./main.ts');
