/** What can be done with one server: copy its address, and open the game there. */

import './server-actions.css';
import type { JSX } from 'preact';
import { addressOf, connectAddress } from '../parts/connect.ts';
import type { ListedServer } from '../connection/messages.ts';
import { CopyButton } from './copy-button.tsx';
import { usePage } from '../parts/page-context.ts';

export function ServerActions({ server }: { readonly server: ListedServer }): JSX.Element {
  const { settings, texts } = usePage();
  const connect = settings.connect === null ? undefined : connectAddress(settings.connect, server);
  return (
    <span class="server-actions">
      <CopyButton address={addressOf(server.ip, server.port)} label={texts.copyAddressOf(server.name)} />
      {connect !== undefined && (
        <a class="button is-main" href={connect} aria-label={texts.connectTo(server.name)}>
          {texts.connect}
        </a>
      )}
    </span>
  );
}
