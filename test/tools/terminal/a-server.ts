/** Game servers as the API tells them, and names that are hostile to a terminal. */

import type { ListedServer } from '../../../src/model/view/listed-server.ts';

export function aServer(overrides: Partial<ListedServer> = {}): ListedServer {
  return {
    id: 'id',
    host: 'game.example.com',
    name: 'A server',
    port: 7777,
    ip: '203.0.113.7',
    players: 3,
    max_players: 16,
    registered_at: '2026-11-21T10:20:30.123Z',
    ...overrides,
  };
}

export const HOSTILE_NAMES: readonly string[] = [
  '\u001b[2J\u001b[H gone',
  '\u001b]0;title\u0007',
  '\u009b31mred',
  'two\nlines\r\n',
  'a\ttab',
  '\u202eevil\u202c',
  '\u2066isolated',
  '\u200einvisible\u200f',
  'x'.repeat(5000),
  '夜猫'.repeat(400),
  '𠮷野家'.repeat(300),
  '👨‍👩‍👧‍👦'.repeat(100),
  `z${'\u0301'.repeat(2000)}`,
  'صقور الليل',
  '\ud800lone',
  '\u2028separator',
  '',
];
