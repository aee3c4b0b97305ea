/** The head of a server's details: its name, the steps to the servers around it, its star, and the close button. */

import type { JSX } from 'preact';
import type { ListedServer } from '../../model/view/listed-server.ts';
import { DETAILS_TITLE_ID } from '../parts/details-title.ts';
import { FavouriteButton } from '../favourites/favourite-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { useListStatus, usePage } from '../parts/page-context.ts';
import { runCommand } from '../hooks/use-shortcuts.ts';

export interface DetailsHeadOptions {
  readonly title: string;
  /** Undefined until it is known. */
  readonly server: ListedServer | undefined;
  readonly onClose: () => void;
}

export function DetailsHead({ title, server, onClose }: DetailsHeadOptions): JSX.Element {
  const { state, texts } = usePage();
  return (
    <div class="in-lines details-head">
      <h2 id={DETAILS_TITLE_ID} tabIndex={-1} autoFocus>
        <bdi>{title}</bdi>
      </h2>
      {state.view === 'list' && <Steps id={state.serverId} />}
      {server !== undefined && !state.isEmbedded && <FavouriteButton server={server} />}
      <button type="button" class="icon-button" aria-label={texts.close} onClick={onClose}>
        <Icon name="close" />
      </button>
    </div>
  );
}

/** Buttons for the servers whose rows are before and after that of this one, as by their keys. */
function Steps({ id }: { readonly id: string | undefined }): JSX.Element {
  const { texts } = usePage();
  const { rows } = useListStatus();
  const found = rows?.rows.findIndex(({ server }) => server.id === id) ?? -1;
  const total = rows?.total ?? 0;
  const index = found === -1 ? undefined : rows!.start + found;
  const isThere = { previous: total > 0 && index !== 0, next: total > 0 && index !== total - 1 };
  return (
    <>
      {(['previous', 'next'] as const).map((command) => (
        <button
          type="button"
          class="icon-button"
          aria-label={texts.shortcuts.commands[command]}
          title={texts.shortcuts.commands[command]}
          // A disabled button would lose the focus at the last server.
          aria-disabled={!isThere[command]}
          onClick={() => {
            if (isThere[command]) runCommand(command);
          }}
          key={command}
        >
          <Icon name={command} />
        </button>
      ))}
    </>
  );
}
