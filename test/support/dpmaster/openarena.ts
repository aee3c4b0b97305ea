/** The command line of OpenArena's game server, which runs on ioquake3, with one master server. */

import { findProgram } from '../needs.ts';

/** `master`: as `address:port`. All of its master servers are set: the second one is a public one by default. */
export function openArenaCommand(ip: string, port: number, master: string): readonly [string, ...string[]] {
  const settings = {
    net_ip: ip,
    net_enabled: 1,
    net_port: port,
    dedicated: 2,
    sv_master1: master,
    ...Object.fromEntries([2, 3, 4, 5].map((each) => [`sv_master${each}`, ''])),
    sv_hostname: '^1Red ^7Arena',
    sv_maxclients: 12,
  };
  const sets = Object.entries(settings).flatMap(([name, value]) => ['+set', name, String(value)]);
  return [findProgram('openarena-server')!, ...sets, '+map', 'oa_dm1'];
}
