/**
 * The dashboard of GSLS. `npm run generate -- dashboard` writes deploy/grafana/gsls.json, which Grafana imports; tests
 * hold the file to this one, and its queries to the metrics.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, type Options } from 'prettier';
import { createDashboard } from './dashboard/grafana.ts';
import { PROCESS, REDIS } from './dashboard/inside.ts';
import { LIST, TRAFFIC } from './dashboard/outside.ts';
import { US_OR_THE_NETWORK } from './dashboard/overview.ts';

const FILE = fileURLToPath(new URL('../deploy/grafana/gsls.json', import.meta.url));

/** The text of the file. */
export async function renderDashboard(): Promise<string> {
  const dashboard = createDashboard({
    uid: 'gsls',
    title: 'GSLS',
    description:
      'The Game Server Listing Service: whether it is us or the network, then traffic, list, Redis and process.',
    chosenBy: 'gsls_build_info',
    rows: [US_OR_THE_NETWORK, TRAFFIC, LIST, REDIS, PROCESS],
  });
  const style = JSON.parse(readFileSync(new URL('../.prettierrc.json', import.meta.url), 'utf8')) as Options;
  return format(JSON.stringify(dashboard), { ...style, parser: 'json' });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(FILE, await renderDashboard());
