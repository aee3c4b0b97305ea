import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeTlsProxy, NAME, type ProxySite } from '../../support/describe-tls-proxy.ts';
import { startProgram, type RunningProcess } from '../../support/processes.ts';
import { replaceEach } from '../../support/replace-each.ts';

/**
 * Caddy with deploy/caddy/Caddyfile at the ports of the site, and with its certificate: there is no authority to ask.
 */
function startCaddy({ httpsPort, httpPort, replicaPorts, certificate, newPath }: ProxySite): RunningProcess {
  const folder = newPath();
  mkdirSync(folder);
  const file = join(folder, 'Caddyfile');
  const ports = `http_port ${httpPort}\nhttps_port ${httpsPort}\ndefault_bind 127.0.0.1`;
  const changed = replaceEach(readFileSync('deploy/caddy/Caddyfile', 'utf8'), [
    ['\n{\n', `\n{\nadmin off\nskip_install_trust\n${ports}\n`],
    ['reverse_proxy 127.0.0.1:53600 {', `reverse_proxy 127.0.0.1:${replicaPorts[0]} {`],
    [`\n${NAME} {\n`, `\n${NAME}, 127.0.0.1 {\ntls ${certificate.file} ${certificate.keyFile}\n`],
  ]);
  writeFileSync(file, changed);
  return startProgram('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  });
}

describeTlsProxy({ program: 'caddy', start: startCaddy, balances: false });
