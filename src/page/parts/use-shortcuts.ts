/** Runs commands by their keys, but not while the reader types in a field. */

import { useEffect, useRef } from 'preact/hooks';
import { commandOf, type Command } from './shortcuts.ts';

export type CommandHandlers = Partial<Record<Command, () => void>>;

export function useShortcuts(handlers: CommandHandlers): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isField(event.target)) return;
      const command = commandOf(event, document.querySelector('dialog:modal') !== null);
      const run = command === undefined ? undefined : latest.current[command];
      if (run === undefined) return;
      event.preventDefault();
      run();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

/** Whether keys mean something of their own to it. */
function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('input:not([type=checkbox]), select, textarea, [role=listbox] *'))
  );
}
