/** What is wrong, in place of what was asked for. */

import { DEFAULT_SORT } from '../address/sort-order.ts';
import { PageLink } from '../parts/page-link.tsx';
import { contextOf, renderDocument } from './document.tsx';
import { PlainSearch } from './plain-search.tsx';
import type { PlainProblem, PlainView } from './renderer.ts';

export function renderProblem(view: PlainView, { message, reason }: PlainProblem): string {
  // What is wrong may be any of it.
  const context = contextOf(view, { filters: [], sort: DEFAULT_SORT, serverId: undefined });
  const { state, texts } = context;
  return renderDocument({
    view,
    context,
    title: view.settings.title,
    children: (
      <section class="list-view plain" aria-label={texts.list}>
        <PlainSearch />
        <p class="state-line is-bad" role="alert">
          {message} {reason !== undefined && <bdi lang="en">{reason}</bdi>}
        </p>
        {/* What is wrong with filters that stay cannot be left behind. */}
        {state.locked.length === 0 && (
          <p>
            <PageLink to={{}}>{texts.plain.allServers}</PageLink>
          </p>
        )}
      </section>
    ),
  });
}
