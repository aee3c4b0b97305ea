/** What the links and buttons of the rows do. One listener for all of them. */

import { useRef, useState } from 'preact/hooks';
import { addressOf } from '../parts/connect.ts';
import { withTag } from '../filters/edit-filters.ts';
import type { ListedServer, Rows } from '../connection/messages.ts';
import { useFavourites } from '../favourites/use-favourites.ts';
import { usePage } from '../parts/page-context.ts';
import { isPlainClick } from '../parts/page-link.tsx';
import { useCopyAddress } from '../server/use-copy-address.ts';

/** The button says for this long that it has copied. */
const SAID_MS = 2000;

export interface RowCommands {
  /** Of the server whose address was copied a moment ago. */
  readonly copiedId: string | undefined;
  readonly runCommand: (event: MouseEvent) => void;
}

export function useRowCommands(rows: Rows): RowCommands {
  const { state, navigate } = usePage();
  const { favourites } = useFavourites();
  const copyAddress = useCopyAddress();
  const [copiedId, setCopiedId] = useState<string | undefined>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const copy = async ({ id, ip, port }: ListedServer): Promise<void> => {
    if (!(await copyAddress(addressOf(ip, port)))) return;
    setCopiedId(id);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopiedId(undefined), SAID_MS);
  };
  const runCommand = (event: MouseEvent): void => {
    const target = (event.target as Element).closest<HTMLElement>('.name a, [data-command], [data-tag]');
    const index = target?.closest<HTMLElement>('.row')?.dataset['index'];
    const server = index === undefined ? undefined : rows.rows[Number(index) - rows.start]?.server;
    if (target === null || server === undefined) return;
    const { command, tag } = target.dataset;
    if (command === 'favourite') favourites.toggle(server);
    else if (command === 'copy') void copy(server);
    else if (isPlainClick(event)) {
      event.preventDefault();
      navigate(tag === undefined ? { serverId: server.id } : { filters: withTag(state.filters, tag) });
    }
  };
  return { copiedId, runCommand };
}
