/** A real nginx for tests, in one process, which a signal ends with all that it has open; and our configuration. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProgram, type RunningProcess } from './processes.ts';
import { replaceEach } from './replace-each.ts';

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

export interface NginxSite {
  readonly port: number;
  readonly replicaPorts: readonly number[];
  /** A path that nothing has yet, for the cache. */
  readonly cache: string;
  /** Whether lists are kept. */
  readonly isCaching: boolean;
}

const TLS = 'gsls.example.com';

/**
 * deploy/nginx/gsls.conf before these replicas, at this port. `tls`: what it says of TLS and of the port that leads
 * there; without it the port speaks plain HTTP.
 */
export function shippedNginx(
  { port, replicaPorts, cache, isCaching }: NginxSite,
  tls?: { readonly httpPort: number; readonly file: string; readonly keyFile: string },
): string {
  const servers = (options: string): string =>
    replicaPorts.map((each) => `server 127.0.0.1:${each} ${options};`).join('\n');
  const [fullchain, key] = ['fullchain', 'privkey'].map((name) => `/etc/letsencrypt/live/${TLS}/${name}.pem`);
  const own = replaceEach(readFileSync('deploy/nginx/gsls.conf', 'utf8'), [
    ['/var/cache/nginx-gsls', cache],
    ["'' off;", isCaching ? "'' gsls_lists;" : "'' off;"],
    ['server 127.0.0.1:53600 max_fails=1 fail_timeout=5s;', servers('max_fails=1 fail_timeout=1s')],
    ['server 127.0.0.1:53600 max_fails=0;', servers('max_fails=0')],
    ['listen [::]:80;', ''],
    ['listen [::]:443 ssl http2;', ''],
  ]);
  return replaceEach(
    own,
    tls === undefined
      ? [
          // A server at no port that anybody knows.
          ['listen 80;', `listen unix:${cache}.sock;`],
          ['listen 443 ssl http2;', `listen 127.0.0.1:${port};`],
          [`ssl_certificate ${fullchain!};`, ''],
          [`ssl_certificate_key ${key!};`, ''],
        ]
      : [
          ['listen 80;', `listen 127.0.0.1:${tls.httpPort};`],
          ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
          [fullchain!, tls.file],
          [key!, tls.keyFile],
        ],
  );
}
