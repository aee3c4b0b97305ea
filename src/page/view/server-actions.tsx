/** What can be done with one server: copy its address, and open the game there. */

import type { JSX } from 'preact';
import './server-actions.css';
import { addressOf, connectAddress } from '../connect.ts';
import type { GameServer } from '../messages.ts';
import { CopyButton } from './copy-button.tsx';
import { usePage } from './page-context.ts';

export interface ServerActionsOptions {
  readonly server: GameServer;
  readonly tabIndex?: number | undefined;
  /** As in a row, which has little room. */
  readonly isCompact?: boolean;
}

export function ServerActions({ server, tabIndex, isCompact = false }: ServerActionsOptions): JSX.Element {
  const { settings, texts } = usePage();
  const connect = settings.connect === null ? undefined : connectAddress(settings.connect, server);
  return (
    <span class="server-actions">
      <CopyButton
        address={addressOf(server.ip, server.port)}
        label={texts.copyAddressOf(server.name)}
        tabIndex={tabIndex}
        isCompact={isCompact}
      />
      {connect !== undefined && (
        <a
          class="button connect"
          href={connect}
          aria-label={texts.connectTo(server.name)}
          tabIndex={tabIndex}
        >
          {texts.connect}
        </a>
      )}
    </span>
  );
}
