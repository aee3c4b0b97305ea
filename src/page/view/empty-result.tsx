/** Says that no server matches, and which filter to loosen. */

import type { JSX } from 'preact';
import { useTexts } from './page-context.ts';

export function EmptyResult(): JSX.Element {
  const { nothingMatches } = useTexts();
  return <p>{nothingMatches}</p>;
}
