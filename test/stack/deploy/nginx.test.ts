import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeTlsProxy, type ProxySite } from '../../support/describe-tls-proxy.ts';
import { startProgram, type RunningProcess } from '../../support/processes.ts';
import { replaceEach } from '../../support/replace-each.ts';

/** nginx with deploy/nginx/gsls.conf inside of a configuration such as Debian's, at the ports of the site. */
function startNginx({ httpsPort, httpPort, replicaPorts, certificate, newPath }: ProxySite): RunningProcess {
  const servers = (options: string): string =>
    replicaPorts.map((port) => `server 127.0.0.1:${port} ${options};`).join('\n');
  const own = replaceEach(readFileSync('deploy/nginx/gsls.conf', 'utf8'), [
    ['server 127.0.0.1:53600 max_fails=1 fail_timeout=5s;', servers('max_fails=1 fail_timeout=1s')],
    ['server 127.0.0.1:53600 max_fails=0;', servers('max_fails=0')],
    ['listen 80;', `listen 127.0.0.1:${httpPort};`],
    ['listen [::]:80;', ''],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${httpsPort} ssl http2;`],
    ['listen [::]:443 ssl http2;', ''],
    ['/etc/letsencrypt/live/gsls.example.com/fullchain.pem', certificate.file],
    ['/etc/letsencrypt/live/gsls.example.com/privkey.pem', certificate.keyFile],
  ]);
  const folder = newPath();
  mkdirSync(folder);
  const file = join(folder, 'nginx.conf');
  // One process, which a signal ends with all that it has open.
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
    events {}
    http {
      access_log off;
      ${temporary.map((what) => `${what}_temp_path ${folder}/${what};`).join('\n')}
      ${own}
    }`,
  );
  return startProgram('nginx', ['-c', file]);
}

describeTlsProxy({ program: 'nginx', start: startNginx, balances: true, requestIds: /^[0-9a-f]{16}$/ });
