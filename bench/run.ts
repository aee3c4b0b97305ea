/** `npm run bench`: the benchmarks by name. bench/RESULTS.md keeps their last figures. */

import { runByName } from '../scripts/run-by-name.ts';

await runByName({
  command: 'npm run bench',
  sentences: {
    requests: 'Compares lists and pings with raw node:http, in half an hour.',
    redis: 'Compares what a ping costs Redis with the least script.',
    fleet: 'Plays many game servers on real replicas, and storms.',
    many: 'Measures many registries: idle, at a start, and beside each other.',
    mirrors: 'Measures what a mirror costs, how soon it knows, and what it takes from its origins.',
    balancers: 'Compares what a ping costs behind HAProxy that passes TCP, and that speaks HTTP.',
    caches: 'Compares lists from the cache of nginx with a file that it serves.',
    compare: 'Compares the CPU of a request with that of another build.',
    moderation: 'Measures what moderators wait for in a long list, and pings beside it.',
    near: 'Measures queries for the nearest, pings with distances, and a beacon.',
    page: 'Holds the page in a slowed Chromium to its goals.',
    protocols: 'Measures what the native documents of another protocol cost.',
  },
  fileOf: (name) => new URL(`${name}/run.ts`, import.meta.url),
});
