/** What the service pays for the page before its script: a hundred rows that it has not drawn before. */

import type { ListedServer } from '../../src/model/view/listed-server.ts';
import type { PlainRenderer, PlainView } from '../../src/page/plain/renderer.ts';
import { finish } from '../../src/api/work/work.ts';

const BUILT = new URL('../../dist/page/', import.meta.url);
const US_PER_MS = 1000;
/** On the page before its script. */
export const PLAIN_ROWS = 100;
/** The first ones are slower than all that follow. */
const PLAIN_RUNS = 300;
const PLAIN_VIEW: PlainView = {
  settings: {
    root: './',
    path: '',
    regions: {},
    title: 'Game servers',
    notice: null,
    connect: 'steam://connect/{ip}:{port}',
    logo: null,
    json: './',
    worker: 'worker.js',
    metaFilters: [],
    hiddenLabels: [],
    reportReasons: [],
    reportNotes: false,
    hasJoinCodes: false,
    hasServerHistories: true,
    hasBeacons: false,
  },
  files: { icon: 'icon.svg', theme: 'theme.js', styles: ['main.css'], script: 'main.js', start: 'start.js' },
  query: '',
  language: 'en',
  staleSince: undefined,
};

/** Resolves with ms, each of one rendering. `url`: of the service. */
export async function timePlainPage(url: string): Promise<readonly number[]> {
  const { default: renderer } = (await import(new URL('plain.mjs', BUILT).href)) as {
    readonly default: PlainRenderer;
  };
  const answer = await fetch(`${url}/servers?limit=${PLAIN_ROWS}`);
  const { servers } = (await answer.json()) as { readonly servers: readonly ListedServer[] };
  const list = { rows: servers, total: servers.length, isFirst: true, nextQuery: undefined, serviceUrl: url };
  return Array.from({ length: PLAIN_RUNS }, () => {
    const before = process.cpuUsage();
    finish(renderer.renderList(PLAIN_VIEW, list));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / US_PER_MS;
  });
}
