/** Says how the page knows how near servers are, and measures that again. */

import './near-line.css';
import type { JSX } from 'preact';
import { NEAR } from '../../model/near.ts';
import { usePage } from '../parts/page-context.ts';
import { useNear } from './use-near.ts';

export function NearLine(): JSX.Element {
  const { settings, state, texts } = usePage();
  const { is, nearness, measure } = useNear();
  const isShown = state.sort === NEAR;
  const places = nearness?.places ?? [];
  const known = texts.near.how(places.length, places.join(', '));
  const text = { unknown: '', known, ...texts.near }[is];
  return (
    <div class="near-line muted">
      {/* It is there from the start: changes of a text are read aloud, and new elements are not. */}
      <p role="status">{isShown && text}</p>
      {isShown && settings.hasBeacons && (is === 'known' || is === 'away') && (
        <button type="button" class="button" onClick={() => measure(true)}>
          {texts.near.again}
        </button>
      )}
    </div>
  );
}
