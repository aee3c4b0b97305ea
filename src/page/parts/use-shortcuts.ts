/** Runs commands by their keys, but not while the reader types in a field. */

import { useEffect, useRef } from 'preact/hooks';
import { commandOf, type Command } from './shortcuts.ts';

export type CommandHandlers = Partial<Record<Command, () => void>>;

const LISTENING = new Set<{ readonly current: CommandHandlers }>();

/** Does what the key of the command does: for its button. */
export function runCommand(command: Command): void {
  for (const { current } of LISTENING) current[command]?.();
}

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
