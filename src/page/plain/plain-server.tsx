/** One server with all that it says of itself. */

import { ConnectLink } from '../server/server-actions.tsx';
import { SaidByServer } from '../server/said-by-server.tsx';
import type { ListedServer } from '../../client/listed-server.ts';
import { isUnlisted } from '../parts/unlisted.ts';
import { PageLink } from '../parts/page-link.tsx';
import { contextOf, renderDocument } from './document.tsx';
import { StaleLine } from './stale-line.tsx';
import type { PlainView } from './renderer.ts';

export function renderServer(view: PlainView, server: ListedServer): string {
  const context = contextOf(view);
  return renderDocument({
    view,
    context,
    // The isolate keeps the characters of its name from turning the rest round.
    title: `\u2068${server.name}\u2069 – ${view.settings.title}`,
    children: (
      <article class="details-content plain">
        <p>
          <PageLink to={{ serverId: undefined }}>{context.texts.plain.allServers}</PageLink>
        </p>
        <StaleLine since={view.staleSince} />
        <h2>
          <bdi>{server.name}</bdi>
        </h2>
        {isUnlisted(server) && <p>{context.texts.details.unlisted}</p>}
        <span class="server-actions">
          <ConnectLink server={server} />
        </span>
        <SaidByServer server={server} />
      </article>
    ),
  });
}
