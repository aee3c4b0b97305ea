/** The regions that a reader plays in, kept in the browser: their servers come first. */

import { Kept, type TextStorage } from './kept.ts';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { useWatched } from '../parts/use-watched.ts';

export type MyRegions = Kept<readonly string[]>;

const KEY = 'gsls-regions';
export const MOST_REGIONS = 50;

/** The regions in a value; anything else in it is dropped. */
function parse(value: unknown): readonly string[] {
  const texts = Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  return [...new Set(texts)].slice(0, MOST_REGIONS);
}

export function createMyRegions(storage: TextStorage | undefined): MyRegions {
  return new Kept({ storage, key: KEY, parse });
}

/** Chooses a region, or removes the choice. A region beyond the limit changes nothing. */
export function toggleRegion(regions: MyRegions, region: string): void {
  const others = regions.value.filter((each) => each !== region);
  if (others.length < regions.value.length) regions.set(others);
  else if (others.length < MOST_REGIONS) regions.set([...others, region]);
}

export const MyRegionsContext = createContext<MyRegions | undefined>(undefined);

/** The regions; the component renders again when they change. */
export function useMyRegions(): { readonly regions: MyRegions; readonly chosen: readonly string[] } {
  const regions = useContext(MyRegionsContext)!;
  return { regions, chosen: useWatched(regions, () => regions.value) };
}
