/** One server with all that it says of itself, over the list. */

import type { JSX } from 'preact';
import { usePage } from './page-context.ts';

export function ServerDetails(): JSX.Element | null {
  const { state } = usePage();
  return state.serverId === undefined ? null : <section>{state.serverId}</section>;
}
