/** What can be done with a server: open the game there, copy its address, and copy a link to what is shown of it. */

import type { JSX } from 'preact';
import { addressOf, connectAddress } from '../parts/connect.ts';
import type { ListedServer } from '../connection/messages.ts';
import { CopyButton } from './copy-button.tsx';
import { usePage } from '../parts/page-context.ts';

export function ServerActions({ server }: { readonly server: ListedServer }): JSX.Element {
  const { settings, texts, hrefOf } = usePage();
  const connect = settings.connect === null ? undefined : connectAddress(settings.connect, server);
  return (
    <span class="server-actions">
      <CopyButton
        text={addressOf(server.ip, server.port)}
        label={texts.copyAddressOf(server.name)}
        shown={texts.copyAddress}
        command="copy"
      />
      {connect !== undefined && (
        <a class="button is-main" href={connect} aria-label={texts.connectTo(server.name)}>
          {texts.connect}
        </a>
      )}
      <CopyButton
        // Of the page itself, also where it is a part of another one.
        text={new URL(hrefOf({ isEmbedded: false }), location.href).href}
        label={texts.details.copyLink}
        shown={texts.details.copyLink}
        icon="link"
        said={texts.details.linkCopied}
      />
    </span>
  );
}
