/** The one table of shortcuts: the handler and the help read it. */

import type { Texts } from '../texts/en.ts';

/** Each has a name in every language. */
export type Command = keyof Texts['shortcuts']['commands'];

export interface Shortcut {
  readonly command: Command;
  /** As `KeyboardEvent.key` has them. */
  readonly keys: readonly string[];
  /** The browser does this by itself. */
  readonly isNative?: true;
  /** Those of its keys that work while a dialog covers the rest: for its server. Arrows scroll there. */
  readonly keysInDialogs?: readonly string[];
}

export const SHORTCUTS: readonly Shortcut[] = [
  { command: 'search', keys: ['/'] },
  { command: 'quickJoin', keys: ['q'] },
  { command: 'regions', keys: ['r'] },
  { command: 'next', keys: ['ArrowDown', 'j'], keysInDialogs: ['j'] },
  { command: 'previous', keys: ['ArrowUp', 'k'], keysInDialogs: ['k'] },
  { command: 'open', keys: ['Enter'], isNative: true },
  { command: 'favourite', keys: ['f'], keysInDialogs: ['f'] },
  { command: 'copy', keys: ['c'], keysInDialogs: ['c'] },
  { command: 'pause', keys: ['p'] },
  { command: 'list', keys: ['l'] },
  { command: 'overview', keys: ['o'] },
  { command: 'help', keys: ['?'] },
  { command: 'close', keys: ['Escape'], isNative: true },
];

export interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

/** The command of a key; undefined if it has none. `isInDialog`: while a dialog covers the rest of the page. */
export function commandOf(pressed: PressedKey, isInDialog: boolean): Command | undefined {
  if (pressed.ctrlKey || pressed.altKey || pressed.metaKey) return undefined;
  const shortcut = SHORTCUTS.find(({ keys }) => keys.includes(pressed.key));
  if (shortcut === undefined || shortcut.isNative) return undefined;
  return isInDialog && !shortcut.keysInDialogs?.includes(pressed.key) ? undefined : shortcut.command;
}
