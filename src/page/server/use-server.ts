/** One server with all its details, as the service and the list have it. */

import { useCallback, useState } from 'preact/hooks';
import type { ListedServer } from '../../model/view/listed-server.ts';
import { AnswerError, getJson, type Answers } from '../connection/get-json.ts';
import { useRepeated } from '../connection/use-repeated.ts';
import { useQuickJoin } from '../join/use-quick-join.ts';
import { useListStatus } from '../parts/page-context.ts';

export interface ServerStatus {
  /** The server as it was last known; undefined before the first answer. */
  readonly server: ListedServer | undefined;
  readonly is: 'loading' | 'listed' | 'not listed' | 'away';
}

/** The last answer of the service. */
interface Told {
  readonly id: string;
  readonly isListed: boolean;
  /** The server as it was last listed. */
  readonly server: ListedServer | undefined;
}

const REFRESH_MS = 5000;

/** One server with all its details, merged from the service and the list. */
export function useServer(id: string): ServerStatus {
  const { rows } = useListStatus();
  const [told, setTold] = useState<Told>();
  const refresh = useCallback(
    async (signal: AbortSignal) => {
      const server = await getServer(id, signal);
      const isListed = server !== undefined;
      setTold((before) => ({ id, isListed, server: server ?? toldOf(before, id)?.server }));
    },
    [id],
  );
  const hasFailed = useRepeated(refresh, REFRESH_MS);

  // Quick join knows a server that may have no row in view.
  const { server: picked } = useQuickJoin();
  const latest = toldOf(told, id);
  const known = latest?.server ?? (picked?.id === id ? picked : undefined);
  // The row of the list is newer, but has little of meta, or none.
  const row = rows?.rows.find(({ server, isGone }) => server.id === id && !isGone)?.server;
  const server = row === undefined ? known : { ...row, ...(known?.meta && { meta: known.meta }) };
  if (row === undefined && latest?.isListed === false) return { server, is: 'not listed' };
  if (server !== undefined) return { server, is: 'listed' };
  return { server, is: hasFailed ? 'away' : 'loading' };
}

/** What was told of this server, and not of one that was shown before it. */
function toldOf(told: Told | undefined, id: string): Told | undefined {
  return told?.id === id ? told : undefined;
}

/** Undefined if the server is not listed. */
async function getServer(id: string, signal: AbortSignal): Promise<ListedServer | undefined> {
  // Dots alone would mean another folder in the address.
  if (/^\.{1,2}$/.test(id)) return undefined;
  try {
    return (await getJson<Answers['OneServer']>(`servers/${encodeURIComponent(id)}`, signal)).server;
  } catch (error) {
    if (error instanceof AnswerError && error.code === 'unknown_server') return undefined;
    throw error;
  }
}
