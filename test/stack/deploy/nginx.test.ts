import { readFileSync } from 'node:fs';
import { describeTlsProxy, type ProxySite } from '../../support/describe-tls-proxy.ts';
import { startNginx } from '../../support/nginx.ts';
import type { RunningProcess } from '../../support/processes.ts';
import { replaceEach } from '../../support/replace-each.ts';

/** nginx with deploy/nginx/gsls.conf inside of a configuration such as Debian's, at the ports of the site. */
function startNginxBefore({
  httpsPort,
  httpPort,
  replicaPorts,
  certificate,
  newPath,
}: ProxySite): RunningProcess {
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
  return startNginx(newPath(), own);
}

describeTlsProxy({ program: 'nginx', start: startNginxBefore, balances: true, requestIds: /^[0-9a-f]{16}$/ });
