/** Since when the list is not current. An age would soon be wrong on a page that does not change. */

import type { JSX } from 'preact';
import { usePage } from '../parts/page-context.ts';

/** `since`: ms since the epoch; undefined for a list that is current. */
export function StaleLine({ since }: { readonly since: number | undefined }): JSX.Element | null {
  const { texts, formats } = usePage();
  if (since === undefined) return null;
  return (
    <p class="plain-line is-warn" role="status">
      {texts.plain.asOf} <time dateTime={new Date(since).toISOString()}>{formats.dateTime(since)}</time>.{' '}
      {texts.feed.stale}
    </p>
  );
}
