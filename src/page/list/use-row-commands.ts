/** What the links and buttons of the rows do. One listener for all of them. */

import { addressOf } from '../parts/connect.ts';
import { withTag } from '../filters/edit-filters.ts';
import type { Rows } from '../connection/messages.ts';
import { useFavourites } from '../favourites/use-favourites.ts';
import { usePage } from '../parts/page-context.ts';
import { isPlainClick } from '../parts/page-link.tsx';
import { useCopyAddress } from '../server/use-copy-address.ts';

export interface RowCommands {
  /** Of the server whose address was copied a moment ago. */
  readonly copiedId: string | undefined;
  readonly runCommand: (event: MouseEvent) => void;
}

export function useRowCommands(rows: Rows): RowCommands {
  const { state, navigate } = usePage();
  const { favourites } = useFavourites();
  const { copiedId, copyAddress } = useCopyAddress();
  const runCommand = (event: MouseEvent): void => {
    const target = (event.target as Element).closest<HTMLElement>('.name a, [data-command], [data-tag]');
    const index = target?.closest<HTMLElement>('.row')?.dataset['index'];
    const server = index === undefined ? undefined : rows.rows[Number(index) - rows.start]?.server;
    if (target === null || server === undefined) return;
    const { command, tag } = target.dataset;
    if (command === 'favourite') favourites.toggle(server);
    else if (command === 'copy') void copyAddress(addressOf(server.ip, server.port), server.id);
    else if (isPlainClick(event)) {
      event.preventDefault();
      navigate(tag === undefined ? { serverId: server.id } : { filters: withTag(state.filters, tag) });
    }
  };
  return { copiedId, runCommand };
}
