/** The details of one server and its actions, below its name: in the sheet beside the list and on its own page. */

import type { JSX } from 'preact';
import { PickedNote } from '../join/quick-join-button.tsx';
import { isUnlistedServer } from '../parts/is-unlisted-server.ts';
import { usePage } from '../parts/page-context.ts';
import { SaidByServer } from './said-by-server.tsx';
import { Embed } from './embed.tsx';
import { ServerActions } from './server-actions.tsx';
import { LastDay } from './last-day.tsx';
import type { ServerStatus } from './use-server.ts';

export interface ServerBodyOptions {
  readonly id: string;
  readonly status: ServerStatus;
  /** Leads back to the list. */
  readonly onBack: () => void;
}

export function ServerBody({ id, status: { server, is }, onBack }: ServerBodyOptions): JSX.Element {
  const { settings, texts } = usePage();
  const isGone = is === 'not listed';
  return (
    <>
      <p class="details-state" role="status">
        {is === 'listed' ? '' : texts.details.state[is]}
      </p>
      {isGone && (
        <button type="button" class="button is-main" onClick={onBack}>
          {texts.details.back}
        </button>
      )}
      <PickedNote id={id} />
      {server !== undefined && !isGone && <ServerActions server={server} />}
      {server !== undefined && !isGone && isUnlistedServer(server) && (
        <p class="muted">{texts.details.unlisted}</p>
      )}
      {server !== undefined && <SaidByServer server={server} />}
      {server !== undefined && !isUnlistedServer(server) && (
        <>
          {settings.hasServerHistories && <LastDay id={id} />}
          {!isGone && <Embed server={server} />}
        </>
      )}
    </>
  );
}
