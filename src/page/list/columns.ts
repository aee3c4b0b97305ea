/** The columns of the table, in their order. Their widths, and which of them a narrow page hides, are in the style. */

import type { ListedServer } from '../connection/messages.ts';
import type { SortField } from '../address/sort-order.ts';
import type { Texts } from '../texts/en.ts';

export interface Column {
  readonly name: keyof Texts['columns'];
  /** Its head is for screen readers alone. */
  readonly isHeadHidden?: true;
  /** Undefined: the service does not sort by it. */
  readonly sortField?: SortField;
  /** A change of one of them is a change of its cell. */
  readonly fields: readonly (keyof ListedServer)[];
  /** Of a cell that is a text and nothing else; undefined where the server does not say it. */
  readonly text?: (server: ListedServer) => string | undefined;
}

export const COLUMNS: readonly Column[] = [
  { name: 'favourite', isHeadHidden: true, fields: [] },
  { name: 'name', sortField: 'name', fields: ['name'] },
  { name: 'players', sortField: 'players', fields: ['players', 'max_players'] },
  { name: 'map', sortField: 'map', fields: ['map'], text: (server) => server.map },
  { name: 'mode', sortField: 'mode', fields: ['mode'], text: (server) => server.mode },
  { name: 'region', sortField: 'region', fields: ['region'], text: (server) => server.region },
  { name: 'version', sortField: 'version', fields: ['version'], text: (server) => server.version },
  { name: 'tags', fields: ['tags'] },
  { name: 'password', isHeadHidden: true, fields: ['password'] },
  { name: 'address', sortField: 'ip', fields: ['ip', 'port'] },
];
