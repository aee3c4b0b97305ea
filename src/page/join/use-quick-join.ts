/**
 * Quick join: sends a person who wants to play now to a server that the worker picks. It opens the game there, or
 * copies the address where the page cannot open it, and shows the server, so that the person can go on to another one.
 */

import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { filtersText } from '../address/page-url.ts';
import type { ListedServer } from '../../model/view/listed-server.ts';
import { addressOf } from '../../model/address-of.ts';
import { connectAddress } from '../parts/connect.ts';
import { useMyRegions } from '../favourites/my-regions.ts';
import { copyText } from '../hooks/use-copy-address.ts';
import { useLive, usePage } from '../parts/page-context.ts';

/** The state of quick join. */
interface Picks {
  /** The ids of the servers that were picked one after the other. */
  readonly ids: readonly string[];
  /** The last picked server; undefined for none. */
  readonly server: ListedServer | undefined;
  /** The action for that server: its game was opened, its address copied, or neither. */
  readonly done: 'opened' | 'copied' | 'shown';
  /** Whether there was no server to pick, or no other one. */
  readonly isOver: boolean;
  /** Whether the player is asked for a region before the first pick. */
  readonly isAskingRegion: boolean;
}

export interface QuickJoin extends Picks {
  readonly pick: () => void;
  /** Picks a server that was not picked before. */
  readonly pickAnother: () => void;
  /** Ends the question for a region. `isGoingOn`: whether to pick with the regions that are chosen now. */
  readonly answerRegion: (isGoingOn: boolean) => void;
  /** Ends what is shown of the last pick. */
  readonly forget: () => void;
}

const NOTHING: Picks = {
  ids: [],
  server: undefined,
  done: 'shown',
  isOver: false,
  isAskingRegion: false,
};

export const QuickJoinContext = createContext<QuickJoin | undefined>(undefined);

export function useQuickJoin(): QuickJoin {
  return useContext(QuickJoinContext)!;
}

/** The state for the page as a whole, since it is shown in more than one place. */
export function useQuickJoinState(): QuickJoin {
  const { list } = useLive();
  const { navigate, settings, state } = usePage();
  const { regions } = useMyRegions();
  const [picks, setPicks] = useState(NOTHING);
  // Quick join begins anew when the filters change.
  useEffect(() => setPicks(NOTHING), [filtersText(state.filters), state.isFavouritesOnly]);

  const pickAfter = async (before: Picks): Promise<void> => {
    const asksRegion = regions.value === undefined && !state.isEmbedded;
    const server = await list.pick(before.ids, asksRegion);
    if (server === 'asks region') return setPicks({ ...NOTHING, isAskingRegion: true });
    if (server === undefined) return setPicks({ ...before, isOver: true });
    const connect = settings.connect === null ? undefined : connectAddress(settings.connect, server);
    const isCopied = connect === undefined && (await copyText(addressOf(server.ip, server.port)));
    const done = connect !== undefined ? 'opened' : isCopied ? 'copied' : 'shown';
    setPicks({ ...NOTHING, ids: [...before.ids, server.id], server, done });
    // A step back leaves the details, and does not go through all picked servers.
    navigate({ serverId: server.id }, { replace: before.ids.length > 0 });
    if (connect !== undefined) location.assign(connect);
  };
  return {
    ...picks,
    pick: () => void pickAfter(NOTHING),
    pickAnother: () => void pickAfter(picks),
    answerRegion: (isGoingOn) => {
      setPicks(NOTHING);
      if (isGoingOn) void pickAfter(NOTHING);
    },
    forget: () => setPicks(NOTHING),
  };
}
