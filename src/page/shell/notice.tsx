/** The operator's notice to all readers: a line above the content. The plain page has the same. */

import type { JSX } from 'preact';
import { usePage } from '../parts/page-context.ts';

export function Notice(): JSX.Element | null {
  const { notice } = usePage().settings;
  if (notice === null) return null;
  return (
    <p class="notice" role="note" dir="auto">
      {notice}
    </p>
  );
}
