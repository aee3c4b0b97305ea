/** The game server of DDNet, as Debian has it: it registers at a master server on this machine alone. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { findProgram } from '../needs.ts';
import { startProgram, type RunningProcess } from '../processes.ts';

export interface DdnetServerOptions {
  /** Where it registers. */
  readonly registerUrl: string;
  /** Without quotation marks. */
  readonly name: string;
  /** As for sv_register: which of `ipv4`, `ipv6`, `tw0.6/ipv4` and the like it registers. */
  readonly register: string;
}

export interface DdnetServer extends RunningProcess {
  readonly port: number;
}

export async function startDdnetServer({
  registerUrl,
  name,
  register,
}: DdnetServerOptions): Promise<DdnetServer> {
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
  return {
    port,
    pid: server.pid,
    get lines() {
      return server.lines;
    },
    get ended() {
      return server.ended;
    },
    signal: (signal) => server.signal(signal),
    async stop(signal) {
      const code = await server.stop(signal);
      await rm(home, { recursive: true, force: true });
      return code;
    },
  };
}
