/** The entry of the page that the service renders, with the same components as the page with its script. */

import { options, type VNode } from 'preact';
import { renderList } from './plain-list.tsx';
import type { PlainRenderer, PlainProblem, PlainView } from './renderer.ts';
import { DEFAULT_SORT } from '../address/sort-order.ts';
import { PageLink } from '../parts/page-link.tsx';
import { plainContextOf, renderDocument } from './document.tsx';
import type { Answers } from '../connection/get-json.ts';
import { NumbersNow } from '../overview/numbers-now.tsx';
import { numbersOf } from '../overview/numbers.ts';
import { MOST_VALUES, ValueTables } from '../overview/value-tables.tsx';
import { PlainSearch } from './plain-search.tsx';
import { ConnectLink } from '../server/server-actions.tsx';
import { SaidByServer } from '../server/said-by-server.tsx';
import type { ListedServer } from '../../model/view/listed-server.ts';
import { Preview } from './preview.tsx';
import { StaleLine } from './stale-line.tsx';

// The policy of the page forbids styles in its HTML; a script may set them.
options.vnode = ({ props }: VNode<{ style?: unknown }>) => {
  delete props.style;
};

export default { renderList, renderServer, renderOverview, renderProblem } satisfies PlainRenderer;

/** The numbers and the kinds of servers, without their past. */
function renderOverview(view: PlainView, stats: Answers['Stats']): string {
  const context = plainContextOf(view, { view: 'overview', serverId: undefined });
  const numbers = numbersOf(stats, MOST_VALUES);
  return renderDocument({
    view,
    context,
    title: view.settings.title,
    children: (
      <div class="overview plain">
        <StaleLine since={view.staleSince} />
        <NumbersNow numbers={numbers} />
        <ValueTables numbers={numbers} />
      </div>
    ),
  });
}

/** A page that shows a problem instead of the list. */
function renderProblem(view: PlainView, { message, reason }: PlainProblem): string {
  // What is wrong may be any of it.
  const context = plainContextOf(view, { filters: [], sort: DEFAULT_SORT, serverId: undefined });
  const { state, texts } = context;
  return renderDocument({
    view,
    context,
    title: view.settings.title,
    head: <meta name="robots" content="noindex" />,
    children: (
      <section class="list-view plain" aria-label={texts.list}>
        <PlainSearch />
        <p class="plain-line is-bad" role="alert">
          {message} {reason !== undefined && <bdi lang="en">{reason}</bdi>}
        </p>
        {/* A problem with locked filters stays, so that no link leads out of it. */}
        {state.locked.length === 0 && (
          <p>
            <PageLink to={{}}>{texts.plain.allServers}</PageLink>
          </p>
        )}
      </section>
    ),
  });
}

/** A page with one server and all its details. */
function renderServer(view: PlainView, server: ListedServer, publicUrl: string | undefined): string {
  const context = plainContextOf(view, { view: 'server', serverId: server.id });
  return renderDocument({
    view,
    context,
    // The isolate keeps right-to-left characters of the name from reordering the rest.
    title: `\u2068${server.name}\u2069 – ${view.settings.title}`,
    head: <Preview view={view} server={server} publicUrl={publicUrl} />,
    children: (
      <article class="server-page plain">
        <p>
          <PageLink to={{ serverId: undefined, view: 'list' }}>{context.texts.plain.allServers}</PageLink>
        </p>
        <StaleLine since={view.staleSince} />
        <div class="card details-content">
          <div class="in-lines details-head">
            <h2>
              <bdi>{server.name}</bdi>
            </h2>
          </div>
          <span class="in-lines server-actions">
            <ConnectLink server={server} />
          </span>
          <SaidByServer server={server} />
        </div>
      </article>
    ),
  });
}
