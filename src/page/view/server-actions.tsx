/** What can be done with one server: copy its address, and open the game there. */

import type { JSX } from 'preact';
import './server-actions.css';
import { addressOf, connectAddress } from '../connect.ts';
import type { GameServer } from '../messages.ts';
import { Icon } from './icon.tsx';
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
  const copy = (): void => {
    void navigator.clipboard.writeText(addressOf(server.ip, server.port));
  };
  return (
    <span class="server-actions">
      <button
        type="button"
        class={isCompact ? 'icon-button' : 'button'}
        data-command="copy"
        aria-label={texts.copyAddressOf(server.name)}
        title={isCompact ? texts.copyAddress : undefined}
        tabIndex={tabIndex}
        onClick={copy}
      >
        {isCompact ? <Icon name="copy" /> : texts.copyAddress}
      </button>
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
