/** A tag. A click narrows the list to the servers that have it. */

import type { JSX } from 'preact';
import { withTag } from '../filters/edit-filters.ts';
import { usePage } from '../parts/page-context.ts';
import { PageLink } from '../parts/page-link.tsx';

export function TagLink({ tag }: { readonly tag: string }): JSX.Element {
  const { state } = usePage();
  const filters = withTag(state.filters, tag);
  return (
    <PageLink to={{ filters, serverId: undefined, view: 'list' }} class="chip">
      <bdi>{tag}</bdi>
    </PageLink>
  );
}
