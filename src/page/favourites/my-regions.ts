/** The regions that a reader plays in, kept in the browser: their servers come first. */

import { keptKey } from '../parts/kept-text.ts';
import { Kept, type TextStorage } from './kept.ts';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { useWatched } from '../hooks/use-watched.ts';

/** Undefined until the reader has chosen; none after the choice of no region. */
export type MyRegions = Kept<readonly string[] | undefined>;

export const MOST_REGIONS = 50;
const NONE: readonly string[] = [];

/** The regions in a value; anything else in it is dropped. */
function parse(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return [...new Set(value.filter((each) => typeof each === 'string'))].slice(0, MOST_REGIONS);
}

export function createMyRegions(storage: TextStorage | undefined): MyRegions {
  return new Kept({ storage, key: keptKey('regions'), parse });
}

/** Chooses a region, or removes the choice. A region beyond the limit changes nothing. */
export function toggleRegion(regions: MyRegions, region: string): void {
  const before = regions.value ?? NONE;
  const others = before.filter((each) => each !== region);
  if (others.length < before.length) regions.set(others);
  else if (others.length < MOST_REGIONS) regions.set([...others, region]);
}

export const MyRegionsContext = createContext<MyRegions | undefined>(undefined);

/** The regions; the component renders again when they change. */
export function useMyRegions(): { readonly regions: MyRegions; readonly chosen: readonly string[] } {
  const regions = useContext(MyRegionsContext)!;
  return { regions, chosen: useWatched(regions, () => regions.value) ?? NONE };
}
