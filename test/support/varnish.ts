/** A real Varnish for tests, with deploy/varnish/gsls.vcl. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProgram, type RunningProcess } from './processes.ts';
import { replaceEach } from './replace-each.ts';

export interface VarnishSite {
  readonly port: number;
  readonly replicaPorts: readonly number[];
  /** The key that the replicas ask of readers; undefined if they ask for none. */
  readonly key?: string | undefined;
}

const BACKEND = /backend replica_1 \{[^}]*\}/;
const ADDED = '    replicas.add_backend(replica_1);\n';

/** Starts Varnish in a folder that is made for it. */
export function startVarnish(
  folder: string,
  { port, replicaPorts, key }: VarnishSite,
  environment: Readonly<Record<string, string>> = {},
): RunningProcess {
  mkdirSync(folder);
  const shipped = readFileSync('deploy/varnish/gsls.vcl', 'utf8');
  const [backend] = BACKEND.exec(shipped)!;
  const each = (text: string): string =>
    replicaPorts
      .map((own, i) => text.replace('replica_1', `replica_${i + 1}`).replace('53600', String(own)))
      .join('');
  const request = `.request = "GET /health HTTP/1.1" "Host: gsls" "Authorization: Bearer ${key!}" "Connection: close";`;
  const own = replaceEach(shipped, [
    [backend, each(backend)],
    [ADDED, each(ADDED)],
    // As its comment says.
    ...(key === undefined ? [] : ([['    .url = "/health";', request]] as const)),
  ]);
  const file = join(folder, 'gsls.vcl');
  writeFileSync(file, own);
  const args = ['-F', '-j', 'none', '-n', join(folder, 'varnish'), '-T', 'none', '-s', 'malloc,32m'];
  return startProgram('varnishd', [...args, '-f', file, '-a', `127.0.0.1:${port}`], environment);
}
