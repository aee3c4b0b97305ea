/** How many servers and players there are, and were. */

import type { JSX } from 'preact';
import { useTexts } from './page-context.ts';

export function Overview(): JSX.Element {
  const { overview } = useTexts();
  return <h2>{overview}</h2>;
}
