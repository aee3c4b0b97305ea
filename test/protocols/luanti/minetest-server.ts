/** The game server of Luanti, as Debian has it (5.6.1, still Minetest): it announces itself on this machine alone. */

import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.ts';
import { findProgram } from '../../support/needs.ts';
import { startProgram } from '../../support/processes.ts';
import { realGameServer, type RealGameServer } from '../../support/real-game-server.ts';

/** With the game for developers, which comes with it. `settings`: of minetest.conf. */
export async function startMinetestServer(
  serverlistUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<RealGameServer> {
  const port = await freePort();
  const home = await mkdtemp(join(tmpdir(), 'gsls-minetest-'));
  const path = join(home, 'minetest.conf');
  const all = {
    server_announce: 'true',
    serverlist_url: serverlistUrl,
    bind_address: '127.0.0.1',
    port,
    ...settings,
  };
  await writeFile(
    path,
    Object.entries(all)
      .map((setting) => `${setting.join(' = ')}\n`)
      .join(''),
  );
  const options = ['--config', path, '--world', join(home, 'world'), '--gameid', 'devtest'];
  const server = startProgram(
    findProgram('minetestserver')!,
    [...options, '--logfile', '', '--color', 'never'],
    { HOME: home },
  );
  return realGameServer(server, port, home);
}
