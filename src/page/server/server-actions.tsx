/** The actions for a server: open the game there, copy its address, and copy a link to its details. */

import type { JSX } from 'preact';
import { addressOf, connectAddress } from '../parts/connect.ts';
import type { ListedServer } from '../../model/view/listed-server.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { usePage } from '../parts/page-context.ts';

export function ServerActions({ server }: { readonly server: ListedServer }): JSX.Element {
  const { texts, hrefOf } = usePage();
  return (
    <span class="in-lines server-actions">
      <CopyButton
        text={addressOf(server.ip, server.port)}
        label={texts.copyAddressOf(server.name)}
        shown={texts.copyAddress}
        command="copy"
      />
      <ConnectLink server={server} />
      <CopyButton
        // The link leads to the page itself, even from an embedded page.
        text={new URL(hrefOf({ isEmbedded: false }), location.href).href}
        label={texts.details.copyLink}
        shown={texts.details.copyLink}
        icon="link"
        said={texts.details.linkCopied}
      />
    </span>
  );
}

/** Renders nothing if the operator has not set how a game is opened. */
export function ConnectLink({ server }: { readonly server: ListedServer }): JSX.Element | null {
  const { settings, texts } = usePage();
  const connect = settings.connect === null ? undefined : connectAddress(settings.connect, server);
  if (connect === undefined) return null;
  return (
    <a class="button is-main" href={connect} aria-label={texts.connectTo(server.name)}>
      {texts.connect}
    </a>
  );
}
