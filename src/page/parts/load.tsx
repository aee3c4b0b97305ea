/** How full a server is: its players and places, and a bar, whose colour says what a player has to know. */

import './load.css';
import type { JSX } from 'preact';
import type { ListedServer } from '../../model/view/listed-server.ts';
import type { Texts } from '../texts/en.ts';

/** Below FEW hardly anybody is there, and the bar is grey. From NEARLY_FULL on few places are left, and it is amber. */
const FEW = 0.15;
const NEARLY_FULL = 0.9;

export interface LoadOptions {
  readonly server: Pick<ListedServer, 'players' | 'max_players'>;
  readonly texts: Texts;
}

export function Load({ server: { players, max_players: places }, texts }: LoadOptions): JSX.Element {
  const share = loadOf(players, places);
  const told = texts.playersOf(players, places);
  return (
    <span class={loadClass(share)} title={texts.playersAloud(players, places)}>
      <span class="load-numbers" aria-hidden="true">
        <b>{told.players}</b> / {told.places}
      </span>
      <span class="visually-hidden">{texts.playersAloud(players, places)}</span>
      {share === 1 ? (
        <span class="load-word">{texts.full}</span>
      ) : (
        <svg class="load-bar" aria-hidden="true">
          <rect width={`${Math.round(1000 * share) / 10}%`} height="100%" />
        </svg>
      )}
    </span>
  );
}

/** The share of the places that are taken, up to 1; 0 if the server has none. */
export function loadOf(players: number, places: number): number {
  return places > 0 ? Math.min(1, players / places) : 0;
}

function loadClass(share: number): string {
  if (share === 1) return 'load is-full';
  return share < FEW ? 'load is-quiet' : share >= NEARLY_FULL ? 'load is-busy' : 'load';
}
