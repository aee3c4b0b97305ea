/**
 * The pictures of buttons and cells: one sprite in the document, of which each icon shows a part. They are hidden from
 * screen readers: the elements beside them have names.
 */

import type { JSX } from 'preact';

const PATHS = {
  star: 'M8 1.6l2 4.1 4.5.6-3.3 3.1.8 4.5L8 11.8l-4 2.1.8-4.5L1.5 6.3 6 5.7z',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  play: 'M4.5 2.5l8 5.5-8 5.5z',
  help: 'M5.5 6a2.5 2.5 0 1 1 3.6 2.2C8.4 8.6 8 9 8 10M8 12.6v.2',
  down: 'M4 6.5l4 4 4-4',
  next: 'M3.5 6l4.5 4.5L12.5 6',
  previous: 'M3.5 10l4.5-4.5 4.5 4.5',
  link: 'M6 10l4-4M7 5l2-2a2.8 2.8 0 0 1 4 4l-2 2M9 11l-2 2a2.8 2.8 0 0 1-4-4l2-2',
  bolt: 'M9 1.5L3.5 9H8l-1 5.5L12.5 7H8z',
  globe: 'M2 8a6 6 0 1 0 12 0a6 6 0 1 0-12 0M2 8h12M8 2c4 4 4 8 0 12c-4-4-4-8 0-12',
  filter: 'M2 4h12M4.5 8h7M7 12h2',
  key: 'M7 9l6-6M11 5l2 2M2 11a3 3 0 1 0 6 0a3 3 0 1 0-6 0',
  lock: 'M3.5 7h9v6.5h-9zM5.5 7V5a2.5 2.5 0 0 1 5 0v2',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  auto: 'M2 8a6 6 0 1 0 12 0a6 6 0 1 0-12 0M8 2v12M10 3v10M12 4v8',
  light: 'M5 8a3 3 0 1 0 6 0a3 3 0 1 0-6 0M8 1v2M8 13v2M1 8h2M13 8h2M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1',
  dark: 'M13.5 9.6A6 6 0 0 1 6.4 2.5a6 6 0 1 0 7.1 7.1z',
  search: 'M11 11l3 3M2 7a5 5 0 1 0 10 0a5 5 0 1 0-10 0',
  away: 'M2 2l12 12M1.5 6.5a9 9 0 0 1 3-1.9M7 4a9 9 0 0 1 7.5 2.5M4 9.5a5.5 5.5 0 0 1 3-1.4M10 8.7l2 1M8 12.6v.2',
  nothing: 'M2 3.5h12v3H2zM2 9.5h12v3H2z',
};

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class={`icon icon-${name}`} aria-hidden="true">
      <use href={`#icon-${name}`} />
    </svg>
  );
}

/** All icons, once in a document. */
export function IconSprite(): JSX.Element {
  return (
    <svg class="sprite" aria-hidden="true">
      {Object.entries(PATHS).map(([name, path]) => (
        <symbol id={`icon-${name}`} viewBox="0 0 16 16" key={name}>
          <path d={path} />
        </symbol>
      ))}
    </svg>
  );
}
