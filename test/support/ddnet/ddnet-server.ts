/** The game server of DDNet, as Debian has it: it registers at a master server on this machine alone. */

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { findProgram } from '../needs.ts';
import { startProgram } from '../processes.ts';
import { realGameServer, type RealGameServer } from '../real-game-server.ts';

export interface DdnetServerOptions {
  /** Where it registers. */
  readonly registerUrl: string;
  /** Without quotation marks. */
  readonly name: string;
  /** As for sv_register: which of `ipv4`, `ipv6`, `tw0.6/ipv4` and the like it registers. */
  readonly register: string;
}

export async function startDdnetServer({
  registerUrl,
  name,
  register,
}: DdnetServerOptions): Promise<RealGameServer> {
  const port = await freePort();
  // It keeps its files there.
  const home = await mkdtemp(join(tmpdir(), 'gsls-ddnet-'));
  const settings = {
    sv_register_url: registerUrl,
    // It sends nothing to http:// otherwise.
    http_allow_insecure: '1',
    sv_register: register,
    sv_port: String(port),
    stdout_output_level: '1',
    sv_name: `"${name}"`,
  };
  const line = Object.entries(settings).map((setting) => setting.join(' '));
  const server = startProgram(findProgram('DDNet-Server')!, [line.join('; ')], { HOME: home }, home);
  return realGameServer(server, port, home);
}
