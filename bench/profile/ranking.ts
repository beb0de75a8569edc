import type { HeapProfiler, Profiler } from 'node:inspector';

export interface Share {
  readonly name: string;
  /** Milliseconds or bytes. */
  readonly amount: number;
  /** Fraction of the total. */
  readonly share: number;
}

export interface Ranking {
  /** Milliseconds without idle time, or bytes. */
  readonly total: number;
  readonly byFunction: readonly Share[];
  readonly byModule: readonly Share[];
  /** Empty for allocations. */
  readonly byStage: readonly Share[];
}

/** The code that a sample was taken in. */
type CallFrame = Profiler.ProfileNode['callFrame'];

/** Self time by function and by module: a package, a source file of the gateway, or a part of Node. */
export function rankTime({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Ranking {
  const selfMs = new Map<number, number>();
  samples.forEach((id, at) => {
    selfMs.set(id, (selfMs.get(id) ?? 0) + (timeDeltas[at] ?? 0) / 1000);
  });
  const ranking = rank(nodes.map(({ id, callFrame }) => [callFrame, selfMs.get(id) ?? 0]));
  return { ...ranking, byStage: rankStages(nodes, selfMs) };
}

/** The stages of a request. A module belongs to the first one that matches. */
const stages: readonly (readonly [stage: string, modules: RegExp])[] = [
  [
    'HTTP out',
    /^src\/server\/(http\/respond|graphql\/(serialize-result|.*use-response))|^node:_http_outgoing/,
  ],
  [
    'HTTP in',
    /^src\/server\/(http|endpoints|gateway)|^node:_http|^fastify|^find-my-way|^secure-json-parse/,
  ],
  ['identity', /^src\/server\/identity/],
  ['document', /^src\/server\/graphql\/plugins\/use-query-documents/],
  ['plan', /^src\/schema\/plan\/|^src\/server\/graphql\/plugins\/use-operation/],
  ['context', /^src\/(context|loaders\/index|server\/graphql\/operation-context)/],
  ['REST', /^src\/(rest|model)\/|^undici|^bench\/contestants\/shared\/(pool-dms|dms)/],
  ['log and metrics', /^src\/server\/telemetry|^pino|^prom-client/],
  [
    'GraphQL server and hooks',
    /^src\/server\/graphql|^graphql-yoga|^@envelop|^@whatwg-node|^mercurius/,
  ],
  ['execution', /^src\/(schema|loaders|features)\/|^graphql|^dataloader|^bench\/contestants/],
  ['garbage collection', /^\(garbage/],
];

/** What Node calls to write to a socket: mostly time of the system. */
const socketWrite = { functions: /^write/, caller: 'node:internal/stream_base_commons' };

/** Self time by stage: that of the function, otherwise that of its caller. */
function rankStages(
  nodes: readonly Profiler.ProfileNode[],
  selfMs: ReadonlyMap<number, number>,
): Share[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const amounts = new Map<string, number>();
  const visit = (node: Profiler.ProfileNode, outer: string, caller: string): void => {
    const { id, callFrame, children = [] } = node;
    const module = moduleOf(callFrame);
    if (module === '(idle)') return;
    const isWrite =
      caller === socketWrite.caller && socketWrite.functions.test(callFrame.functionName);
    const stage = isWrite
      ? 'writing to sockets'
      : (stages.find(([, modules]) => modules.test(module))?.[0] ?? outer);
    amounts.set(stage, (amounts.get(stage) ?? 0) + (selfMs.get(id) ?? 0));
    for (const child of children) visit(byId.get(child)!, stage, module);
  };
  if (nodes[0] !== undefined) visit(nodes[0], 'event loop', '');
  return sorted(
    amounts,
    amounts.values().reduce((sum, amount) => sum + amount, 0),
  );
}

/** Bytes allocated by function and by module. */
export function rankAllocations({ head }: HeapProfiler.SamplingHeapProfile): Ranking {
  const amounts: [CallFrame, number][] = [];
  const visit = ({ callFrame, selfSize, children }: HeapProfiler.SamplingHeapProfileNode): void => {
    amounts.push([callFrame, selfSize]);
    children.forEach(visit);
  };
  visit(head);
  return rank(amounts);
}

function rank(amounts: readonly (readonly [CallFrame, number])[]): Ranking {
  const functions = new Map<string, number>();
  const modules = new Map<string, number>();
  let total = 0;
  for (const [callFrame, amount] of amounts) {
    const module = moduleOf(callFrame);
    if (amount === 0 || module === '(idle)') continue;
    total += amount;
    const line = `${callFrame.functionName || '(anonymous)'} ${module}:${callFrame.lineNumber + 1}`;
    functions.set(line, (functions.get(line) ?? 0) + amount);
    modules.set(module, (modules.get(module) ?? 0) + amount);
  }
  return {
    total,
    byFunction: sorted(functions, total),
    byModule: sorted(modules, total),
    byStage: [],
  };
}

function sorted(map: ReadonlyMap<string, number>, total: number): Share[] {
  return [...map.entries()]
    .map(([name, amount]) => ({ name, amount, share: amount / total }))
    .toSorted((a, b) => b.amount - a.amount);
}

function moduleOf({ functionName, url }: CallFrame): string {
  if (url === '') return functionName.startsWith('(') ? functionName : '(native)';
  const packaged = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(url);
  if (packaged?.[1] !== undefined) return packaged[1];
  if (url.startsWith('node:')) return url;
  return /\/((?:src|bench)\/.+)$/.exec(url)?.[1] ?? url;
}
