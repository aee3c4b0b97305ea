import { describeTlsProxy, type ProxySite } from '../../support/describe-tls-proxy.ts';
import { shippedNginx, startNginx } from '../../support/nginx.ts';
import type { RunningProcess } from '../../support/processes.ts';

/** nginx with deploy/nginx/gsls.conf inside of a configuration such as Debian's, at the ports of the site. */
function startNginxBefore({
  httpsPort,
  httpPort,
  replicaPorts,
  certificate,
  newPath,
}: ProxySite): RunningProcess {
  const site = { port: httpsPort, replicaPorts, cache: newPath(), isCaching: false };
  return startNginx(newPath(), shippedNginx(site, { httpPort, ...certificate }));
}

describeTlsProxy({ program: 'nginx', start: startNginxBefore, balances: true, requestIds: /^[0-9a-f]{16}$/ });
