/** What the service tells of game servers, by the description of its API. */

import type { components } from './api.d.ts';

/** A game server as `GET /changes` tells it. */
export type ListedServer = components['schemas']['ListedServer'];
/** A game server as `GET /` tells it. */
export type ListServer = Pick<
  ListedServer,
  'id' | 'host' | 'name' | 'port' | 'ip' | 'players' | 'max_players'
>;
/** Changes with the tag of the list that they lead to. */
export type TaggedChanges = components['schemas']['ChangesEvent'];
/** What `GET /changes` tells. */
export type ToldChanges = Omit<TaggedChanges, 'tag'>;
