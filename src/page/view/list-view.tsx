/** The servers that match. */

import type { JSX } from 'preact';
import { useListStatus, useTexts } from './page-context.ts';

export function ListView(): JSX.Element {
  const texts = useTexts();
  const { rows } = useListStatus();
  return <p role="status">{rows === undefined ? texts.loading : texts.servers(rows.total)}</p>;
}
