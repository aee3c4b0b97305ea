/** The shortcuts, for readers that ask. */

import './help-dialog.css';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { SHORTCUTS } from '../parts/shortcuts.ts';
import { Icon } from '../parts/icon.tsx';
import { usePage } from '../parts/page-context.ts';

export function HelpDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const { state, texts } = usePage();
  const shortcuts = SHORTCUTS.filter(({ command }) => command !== 'favourite' || !state.isEmbedded);
  const dialog = useRef<HTMLDialogElement>(null);
  // The browser gives the focus back to where it was.
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="help"
      aria-labelledby="help-title"
      onClose={onClose}
      onClick={({ target }) => {
        if (target === dialog.current) dialog.current?.close();
      }}
    >
      <div class="content">
        <h2 id="help-title">{texts.shortcuts.title}</h2>
        <button type="button" class="icon-button" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
          <span class="visually-hidden">{texts.close}</span>
        </button>
        <dl>
          {shortcuts.map(({ command, keys }) => (
            <div key={command}>
              <dt>
                {keys.map((key) => (
                  <kbd key={key}>{texts.shortcuts.keys[key] ?? key}</kbd>
                ))}
              </dt>
              <dd>{texts.shortcuts.commands[command]}</dd>
            </div>
          ))}
        </dl>
      </div>
    </dialog>
  );
}
