/** A real nginx for tests, in one process, which a signal ends with all that it has open. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProgram, type RunningProcess } from './processes.ts';

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** Starts nginx in a folder that is made for it. `http`: what its configuration has in the block of this name. */
export function startNginx(folder: string, http: string): RunningProcess {
  mkdirSync(folder);
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
    events {}
    http {
      access_log off;
      ${TEMPORARY.map((what) => `${what}_temp_path ${folder}/${what};`).join('\n')}
      ${http}
    }`,
  );
  return startProgram('nginx', ['-c', file]);
}
