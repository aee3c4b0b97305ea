/** The shortcuts, for readers that ask for them. */

import './help-dialog.css';
import type { JSX } from 'preact';
import { Dialog } from '../parts/dialog.tsx';
import { usePage } from '../parts/page-context.ts';
import { SHORTCUTS } from '../hooks/use-shortcuts.ts';

export function HelpDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const { state, texts } = usePage();
  const shortcuts = SHORTCUTS.filter(({ command }) => command !== 'favourite' || !state.isEmbedded);
  return (
    <Dialog name="help" title={texts.shortcuts.title} onClose={onClose}>
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
    </Dialog>
  );
}
