/**
 * A registry for npm of one's own: verdaccio, which takes packages from everybody, and has all others from the registry
 * of this machine. It is larger than all else that the tests use, so that the lock file of the repository does without:
 * it has one of its own, in the folder tools.
 */

import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../../support/free-port.ts';
import { until } from '../../support/until.ts';

const run = promisify(execFile);
const TOOLS = fileURLToPath(new URL('tools/', import.meta.url));
/** Variables of the npm that may have started the tests stay outside. */
const ENVIRONMENT = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')),
);

export interface Registry {
  /** The folder node_modules with what package.json of the tools names. */
  readonly tools: string;
  /** Runs npm, or npx, in this folder as somebody who knows no other registry, with a cache of its own. */
  npm(args: readonly string[], cwd: string, program?: 'npm' | 'npx'): Promise<string>;
  close(): void;
}

/** Installs the tools in this folder, which is made, and starts it there. */
export async function startRegistry(folder: string): Promise<Registry> {
  mkdirSync(folder);
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(TOOLS, name), join(folder, name));
  const install = ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  await run('npm', install, { cwd: folder, env: ENVIRONMENT });
  const { stdout: upstream } = await run('npm', ['config', 'get', 'registry'], { env: ENVIRONMENT });

  writeFileSync(
    join(folder, 'config.yaml'),
    `storage: ./storage
uplinks: { upstream: { url: '${upstream.trim()}' } }
packages: { '**': { access: $all, publish: $all, proxy: upstream } }
web: { enable: false }
log: { type: stdout, format: json, level: warn }
`,
  );
  const address = `127.0.0.1:${await freePort()}`;
  const program = [join(folder, 'node_modules/verdaccio/bin/verdaccio'), '--config', 'config.yaml'];
  const server = spawn(process.execPath, [...program, '--listen', address], { cwd: folder });
  process.once('exit', () => server.kill());
  const seen = { ended: false, lines: [] as string[] };
  server.once('exit', () => (seen.ended = true));
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (data: Buffer) => seen.lines.push(data.toString()));
  await until(
    () =>
      fetch(`http://${address}/-/ping`).then(
        ({ ok }) => ok,
        () => false,
      ),
    seen,
  );

  // npm publishes nothing without a token, whatever the registry asks for.
  writeFileSync(join(folder, 'npmrc'), `registry=http://${address}/\n//${address}/:_authToken=anybody\n`);
  const settings = ['userconfig=npmrc', 'cache=cache'].map((each) => each.replace('=', `=${folder}/`));
  const options = [...settings, 'audit=false', 'fund=false', 'update_notifier=false'];
  const own = Object.fromEntries(options.map((each) => `npm_config_${each}`.split('=')));
  return {
    tools: join(folder, 'node_modules'),
    npm: async (args, cwd, client = 'npm') => {
      const { stdout } = await run(client, args, { cwd, env: { ...ENVIRONMENT, ...own } });
      return stdout;
    },
    close: () => void server.kill(),
  };
}
