/**
 * Finds which favourites are listed now: by id, and by address for those whose id has ended. The latter get their new
 * id.
 */

import { useCallback, useState } from 'preact/hooks';
import { isSameServer, useFavourites, type Favourite } from './favourites.ts';
import { getJson, type Answers } from '../connection/get-json.ts';
import type { ListedServer } from '../../model/view/listed-server.ts';
import { encodeText } from '../address/page-url.ts';
import { isUnlistedServer } from '../parts/is-unlisted-server.ts';
import { MOST_ALTERNATIVES } from '../../model/query/limits.ts';
import { useRepeated } from '../connection/use-repeated.ts';

export interface ListedFavourites {
  /** The ids of all favourites, for a view of the list. */
  readonly ids: readonly string[];
  readonly notListed: readonly Favourite[];
}

const REFRESH_MS = 15_000;

/** `isShown`: whether only favourites are shown; otherwise no request is made. */
export function useListedFavourites(isShown: boolean): ListedFavourites {
  const { favourites, all } = useFavourites();
  const [notListed, setNotListed] = useState<ReadonlySet<string>>(new Set());
  const refresh = useCallback(
    async (signal: AbortSignal) => {
      if (!isShown) return;
      // The list has no unlisted servers.
      const sought = all.filter((each) => !isUnlistedServer(each));
      const byId = await findServers(sought, ['id'], signal);
      const missing = sought.filter(({ id }) => !byId.some((server) => server.id === id));
      const byAddress = await findServers(missing, ['host', 'ip'], signal);
      const found = [
        ...byId,
        ...byAddress.filter((server) => all.some((each) => isSameServer(each, server))),
      ];
      setNotListed(
        new Set(
          missing.filter((each) => !found.some((server) => isSameServer(each, server))).map(({ id }) => id),
        ),
      );
      favourites.update(found);
    },
    [isShown, all],
  );
  useRepeated(refresh, REFRESH_MS);
  return { ids: all.map(({ id }) => id), notListed: all.filter(({ id }) => notListed.has(id)) };
}

/** The servers that have one of the values of these favourites in each of the fields. */
async function findServers(
  favourites: readonly Favourite[],
  fields: readonly ('id' | 'host' | 'ip')[],
  signal: AbortSignal,
): Promise<readonly ListedServer[]> {
  const found: ListedServer[] = [];
  for (let at = 0; at < favourites.length; at += MOST_ALTERNATIVES) {
    const some = favourites.slice(at, at + MOST_ALTERNATIVES);
    const filters = fields.map((name) => {
      const values = new Set(some.map((each) => encodeText(each[name])));
      return `${name}=${[...values].join(',')}`;
    });
    const { servers } = await getJson<Answers['Page']>(`servers?limit=1000&${filters.join('&')}`, signal);
    found.push(...servers);
  }
  return found;
}
