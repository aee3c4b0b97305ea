/** The single table of shortcuts, which the help shows too, and the code that runs commands by their keys. */

import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Texts } from '../texts/en.ts';

/** The name of a command, which every language names. */
type Command = keyof Texts['shortcuts']['commands'];

interface Shortcut {
  readonly command: Command;
  /** The keys as `KeyboardEvent.key` names them. */
  readonly keys: readonly string[];
  /** Whether the browser does this by itself. */
  readonly isNative?: true;
  /** The keys that work in dialogs too: those that act on the server of a dialog. Arrows scroll there. */
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

/** The command of a key; undefined if it has none. `isInDialog`: whether a dialog covers the rest of the page. */
export function commandOf(pressed: PressedKey, isInDialog: boolean): Command | undefined {
  if (pressed.ctrlKey || pressed.altKey || pressed.metaKey) return undefined;
  const shortcut = SHORTCUTS.find(({ keys }) => keys.includes(pressed.key));
  if (shortcut === undefined || shortcut.isNative) return undefined;
  return isInDialog && !shortcut.keysInDialogs?.includes(pressed.key) ? undefined : shortcut.command;
}

export type CommandHandlers = Partial<Record<Command, () => void>>;

const LISTENING = new Set<{ readonly current: CommandHandlers }>();

/** Runs a command as its key does, for the command's button. */
export function runCommand(command: Command): void {
  for (const { current } of LISTENING) current[command]?.();
}

/** Runs commands by their keys, except while the reader types in a field. */
export function useShortcuts(handlers: CommandHandlers): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  // The buttons and keys work from when they are seen.
  useLayoutEffect(() => {
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

/** Whether the key scrolls the details beside the list, which have the focus. */
function isScroll({ key }: KeyboardEvent): boolean {
  return key.startsWith('Arrow') && document.querySelector('dialog:focus-within') !== null;
}

/** Whether the element uses keys itself. */
export function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('input:not([type=checkbox]), select, textarea, [role=listbox] *'))
  );
}
