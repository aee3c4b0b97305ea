/** The parts of the way of a request, by the files that they are in, and what of a profile each has taken. */

import type { Profiler } from 'node:inspector';

/** The first that matches a path below src. */
const PARTS: readonly (readonly [name: string, files: RegExp])[] = [
  ['request id', /^http\/request-id/],
  ['metrics', /^(service\/metrics|service\/listener|.*histogram)/],
  ['rate limits', /^http\/limits\/|^service\/(open-rate|shared-rate)/],
  ['fairness', /^http\/server\/(fair|connection-limits|waiting-memory|pace|process-pause|server\.)/],
  ['keys and sites', /^http\/(auth|cors|checks\/cross-site)/],
  ['token', /^writes\/(server-token|valid-tokens)|^registry\/secret/],
  [
    'address of the client',
    /^(http\/(client|forwarding)|registry\/(ip|networks|client-counts|fields\/.*ip))/,
  ],
  ['head', /^http\/(server\/(send|ready-head)|answer)/],
  ['write', /^(http\/server\/(answers-in-flight|write-rope)|node-internals)/],
  ['body and fields', /^(http\/(body|koa)|writes\/|query\/)/],
  ['the list', /^(lists\/|http\/(current-list|negotiation)|registry\/snapshot\/)/],
  ['registry', /^registry\//],
  ['exchange', /^http\//],
];

const OTHERS = new Map([
  ['(garbage collector)', 'collecting garbage'],
  ['(program)', 'machine code outside of scripts'],
]);

/** Of the client of Redis, where no file of ours is below it. */
const CLIENT_OF_REDIS = 'client of Redis';
const NODE = 'Node: parser and sockets';
const REST = 'the rest';

export const PART_NAMES: readonly string[] = [
  NODE,
  ...PARTS.map(([name]) => name),
  CLIENT_OF_REDIS,
  REST,
  ...OTHERS.values(),
];

/** µs of each part in a profile; the time in which the process waited is in none. */
export function takenByParts({
  nodes,
  samples = [],
  timeDeltas = [],
}: Profiler.Profile): ReadonlyMap<string, number> {
  const parts = partsOf(nodes);
  const taken = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const part = parts.get(id);
    if (part !== undefined) taken.set(part, (taken.get(part) ?? 0) + timeDeltas[index]!);
  }
  return taken;
}

/** What is called by a part, such as Node's sockets by a write, is of that part. */
function partsOf(nodes: readonly Profiler.ProfileNode[]): ReadonlyMap<number, string | undefined> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parts = new Map<number, string | undefined>();
  const [root] = nodes;
  const begun: (readonly [id: number, part: string])[] = [[root!.id, NODE]];
  for (let next = begun.pop(); next !== undefined; next = begun.pop()) {
    const [id, caller] = next;
    const { callFrame, children = [] } = byId.get(id)!;
    const { functionName, url } = callFrame;
    const part = partOf(url) ?? caller;
    parts.set(id, functionName === '(idle)' ? undefined : (OTHERS.get(functionName) ?? part));
    for (const child of children) begun.push([child, part]);
  }
  return parts;
}

function partOf(url: string): string | undefined {
  const [, file] = /\/src\/([^?]*)/.exec(url) ?? [];
  if (file !== undefined) return PARTS.find(([, files]) => files.test(file))?.[0] ?? REST;
  return /node_modules\/(ioredis|redis-parser)/.test(url) ? CLIENT_OF_REDIS : undefined;
}
