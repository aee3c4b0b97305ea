/** A tag. A click narrows the list to the servers that have it. */

import type { JSX } from 'preact';
import { withTag } from '../edit-filters.ts';
import { usePage } from './page-context.ts';
import { PageLink } from './page-link.tsx';

export interface TagLinkOptions {
  readonly tag: string;
  readonly tabIndex?: number | undefined;
}

export function TagLink({ tag, tabIndex }: TagLinkOptions): JSX.Element {
  const { state } = usePage();
  const filters = withTag(state.filters, tag);
  return (
    <PageLink to={{ filters, serverId: undefined, view: 'list' }} class="chip tag" tabIndex={tabIndex}>
      <bdi>{tag}</bdi>
    </PageLink>
  );
}
