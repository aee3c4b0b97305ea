/**
 * Runs the commands of the rows, their links and their buttons, with one listener for all of them. A click anywhere on
 * a row counts as one on the link to its server, which keyboards and screen readers use.
 */

import { addressOf } from '../../../model/address-of.ts';
import type { Rows } from '../../connection/messages.ts';
import { useFavourites } from '../../favourites/favourites.ts';
import { DETAILS_TITLE_ID } from '../../parts/details-title.ts';
import { usePage } from '../../parts/page-context.ts';
import { isPlainClick } from '../../parts/page-link.tsx';
import { useCopyAddress } from '../../hooks/use-copy-address.ts';

export interface RowCommands {
  /** The id of the server whose address was copied a moment ago. */
  readonly copiedId: string | undefined;
  readonly runCommand: (event: MouseEvent) => void;
}

export function useRowCommands(rows: Rows): RowCommands {
  const { state, navigate } = usePage();
  const { favourites } = useFavourites();
  const { copiedId, copyAddress } = useCopyAddress();
  const runCommand = (event: MouseEvent): void => {
    const clicked = event.target as Element;
    const row = clicked.closest<HTMLElement>('.row');
    const index = row?.dataset['index'];
    const server = index === undefined ? undefined : rows.rows[Number(index) - rows.start]?.server;
    if (row === null || server === undefined) return;
    const control = clicked.closest<HTMLElement>('a, button');
    const link = row.querySelector<HTMLElement>('.name a');
    const command = control?.dataset['command'];
    if (command === 'favourite') favourites.toggle(server);
    else if (command === 'copy') void copyAddress(addressOf(server.ip, server.port), server.id);
    else if (!isPlainClick(event)) return;
    else if (control === link || (control === null && !isSelecting())) {
      event.preventDefault();
      // The focus returns here when the details are closed.
      link?.focus({ preventScroll: true });
      navigate({ serverId: server.id });
      // Details that open take the focus by themselves.
      if (state.serverId !== undefined) document.getElementById(DETAILS_TITLE_ID)?.focus();
    }
  };
  return { copiedId, runCommand };
}

/** Whether the click ended the selection of a text, such as a part of an address. */
function isSelecting(): boolean {
  return getSelection()?.isCollapsed === false;
}
