/** The one table of shortcuts, which the help reads too, and what runs commands by their keys. */

import { useEffect, useRef } from 'preact/hooks';
import type { Texts } from '../texts/en.ts';

/** Each has a name in every language. */
type Command = keyof Texts['shortcuts']['commands'];

interface Shortcut {
  readonly command: Command;
  /** As `KeyboardEvent.key` has them. */
  readonly keys: readonly string[];
  /** The browser does this by itself. */
  readonly isNative?: true;
  /** The keys that work in dialogs too, as those that act on the server of one do. Arrows scroll there. */
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

interface PressedKey {
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

export type CommandHandlers = Partial<Record<Command, () => void>>;

const LISTENING = new Set<{ readonly current: CommandHandlers }>();

/** Does what the key of the command does: for its button. */
export function runCommand(command: Command): void {
  for (const { current } of LISTENING) current[command]?.();
}

/** Not while the reader types in a field. */
export function useShortcuts(handlers: CommandHandlers): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isField(event.target) || isScroll(event)) return;
      const command = commandOf(event, document.querySelector('dialog:modal') !== null);
      const run = command === undefined ? undefined : latest.current[command];
      if (run === undefined) return;
      event.preventDefault();
      run();
    };
    LISTENING.add(latest);
    document.addEventListener('keydown', press);
    return () => {
      LISTENING.delete(latest);
      document.removeEventListener('keydown', press);
    };
  }, []);
}

/** Arrows scroll details that are beside the list and have the focus. */
function isScroll({ key }: KeyboardEvent): boolean {
  return key.startsWith('Arrow') && document.querySelector('dialog:focus-within') !== null;
}

/** Whether keys mean something of their own to it. */
export function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('input:not([type=checkbox]), select, textarea, [role=listbox] *'))
  );
}
