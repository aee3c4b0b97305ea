/** What Luanti servers say, for tests. */

import type { Announced, Said } from '../../../src/protocols/luanti/announcement.ts';

/** What minetestserver 5.6.1 of Debian sends at its start, with fewer mods. */
export function aStart(overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    action: 'start',
    address: '',
    can_see_far_names: true,
    clients: 0,
    clients_list: [],
    clients_max: 15,
    creative: false,
    damage: true,
    dedicated: true,
    description: 'mine here',
    game_time: 18,
    gameid: 'devtest',
    mapgen: 'v7',
    mods: ['testtools', 'bucket'],
    name: 'A server',
    password: false,
    port: 30000,
    privs: 'interact, shout',
    proto_max: 41,
    proto_min: 37,
    pvp: true,
    rollback: false,
    uptime: 0,
    url: '',
    version: '5.6.1',
    ...overrides,
  };
}

const ONLY_AT_START = ['can_see_far_names', 'dedicated', 'mapgen', 'mods', 'privs', 'rollback'];

/** And what it sends each five minutes. */
export function anUpdate(overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const update = aStart({ action: 'update', uptime: 300, game_time: 318, lag: 0.05 });
  for (const name of ONLY_AT_START) delete update[name];
  return { ...update, ...overrides };
}

export function someoneSaid(overrides: Partial<Said> = {}): Said {
  return {
    name: 'A server',
    description: 'mine here',
    version: '5.6.1',
    gameid: 'devtest',
    clients: 0,
    clients_max: 15,
    uptime: 0,
    game_time: 0,
    proto_min: 37,
    proto_max: 41,
    ...overrides,
  };
}

export function announced(action: Announced['action'], said: Partial<Said> = {}): Announced {
  return { action, port: 30000, address: '', said: someoneSaid(said) };
}
