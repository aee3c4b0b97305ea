/** The pictures of buttons and cells. They say nothing to a screen reader: what they stand beside has a name. */

import type { JSX } from 'preact';

const PATHS = {
  star: 'M8 1.6l2 4.1 4.5.6-3.3 3.1.8 4.5L8 11.8l-4 2.1.8-4.5L1.5 6.3 6 5.7z',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  play: 'M4.5 2.5l8 5.5-8 5.5z',
  pause: 'M5.5 3v10M10.5 3v10',
  help: 'M5.5 6a2.5 2.5 0 1 1 3.6 2.2C8.4 8.6 8 9 8 10M8 12.6v.2',
  next: 'M3.5 6l4.5 4.5L12.5 6',
  previous: 'M3.5 10l4.5-4.5 4.5 4.5',
  link: 'M6.5 9.5l3-3M7.5 4.5l1.6-1.6a2.8 2.8 0 0 1 4 4L11.5 8.5M8.5 11.5l-1.6 1.6a2.8 2.8 0 0 1-4-4L4.5 7.5',
  bolt: 'M9 1.5L3.5 9H8l-1 5.5L12.5 7H8z',
  globe: 'M2 8a6 6 0 1 0 12 0a6 6 0 1 0-12 0M2 8h12M8 2c4 4 4 8 0 12c-4-4-4-8 0-12',
  key: 'M7.2 8.8l6.3-6.3M11 5l2 2M7.5 11a2.75 2.75 0 1 1-5.5 0 2.75 2.75 0 0 1 5.5 0z',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  auto: 'M8 1.8a6.2 6.2 0 1 0 0 12.4 6.2 6.2 0 0 0 0-12.4zM8 1.8v12.4M10 2.5v11M12 3.5v9',
  light:
    'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1.1 1.1M11.9 11.9L13 13M3 13l1.1-1.1M11.9 4.1L13 3',
  dark: 'M13.5 9.6A6 6 0 0 1 6.4 2.5a6 6 0 1 0 7.1 7.1z',
  search: 'M10.2 10.2l4 4M11.5 7a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0z',
};

export function Icon({ name }: { readonly name: keyof typeof PATHS }): JSX.Element {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
