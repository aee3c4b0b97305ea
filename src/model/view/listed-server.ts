/** Game servers in the answers of the service, by the description of its API. */

import type { components } from './api.d.ts';

/** A game server in answers of `GET /changes`. */
export type ListedServer = components['schemas']['ListedServer'];
/** A game server in answers of `GET /`. */
export type ListServer = Pick<
  ListedServer,
  'id' | 'host' | 'name' | 'port' | 'ip' | 'players' | 'max_players'
>;
/** Changes with the tag of the list that they lead to. */
export type TaggedChanges = components['schemas']['ChangesEvent'];
/** The changes in answers of `GET /changes`. */
export type ToldChanges = Omit<TaggedChanges, 'tag'>;
