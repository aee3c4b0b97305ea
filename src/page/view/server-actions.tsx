/** What can be done with one server: copy its address, and open the game there. */

import type { JSX } from 'preact';
import './server-actions.css';
import { addressOf, connectAddress } from '../connect.ts';
import type { GameServer } from '../messages.ts';
import { usePage } from './page-context.ts';

export function ServerActions({ server }: { readonly server: GameServer }): JSX.Element {
  const { settings, texts } = usePage();
  const connect = settings.connect === null ? undefined : connectAddress(settings.connect, server);
  const copy = (): void => {
    void navigator.clipboard.writeText(addressOf(server.ip, server.port));
  };
  return (
    <span class="server-actions">
      <button type="button" aria-label={texts.copyAddressOf(server.name)} onClick={copy}>
        {texts.copyAddress}
      </button>
      {connect !== undefined && (
        <a href={connect} aria-label={texts.connectTo(server.name)}>
          {texts.connect}
        </a>
      )}
    </span>
  );
}
