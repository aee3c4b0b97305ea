/** The actions for a server: open the game there, copy its address, and copy a link to its details. */

import type { JSX } from 'preact';
import { addressOf } from '../../model/address-of.ts';
import { connectAddress } from '../parts/connect.ts';
import type { ListedServer } from '../../model/view/listed-server.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { DEFAULT_SORT } from '../address/sort-order.ts';
import { isUnlistedServer } from '../parts/is-unlisted-server.ts';
import { ReportButton } from './report.tsx';
import { usePage } from '../parts/page-context.ts';

export function ServerActions({ server }: { readonly server: ListedServer }): JSX.Element {
  const { settings, texts, hrefOf } = usePage();
  return (
    <span class="in-lines server-actions">
      <ConnectLink server={server} />
      <CopyButton
        text={addressOf(server.ip, server.port)}
        label={texts.copyAddressOf(server.name)}
        shown={texts.copyAddress}
        command="copy"
      />
      {/* An unlisted server is found by its code alone. The link leads out of an embedded page. */}
      {!isUnlistedServer(server) && (
        <CopyButton
          text={
            new URL(
              hrefOf({ isEmbedded: false, view: 'server', filters: [], ...NOTHING_ELSE }),
              location.href,
            ).href
          }
          label={texts.details.copyLink}
          shown={texts.details.copyLink}
          icon="link"
          said={texts.details.linkCopied}
        />
      )}
      {settings.reportReasons.length > 0 && <ReportButton server={server} />}
    </span>
  );
}

/** A link to a server says nothing of the list that its reader came from. */
const NOTHING_ELSE = {
  locked: [],
  sort: DEFAULT_SORT,
  isFavouritesOnly: false,
  language: undefined,
} as const;

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
