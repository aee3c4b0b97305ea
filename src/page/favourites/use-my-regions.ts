/** The regions that a reader plays in, for components. */

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { useWatched } from '../parts/use-watched.ts';
import type { MyRegions } from './my-regions.ts';

export const MyRegionsContext = createContext<MyRegions | undefined>(undefined);

/** The component is drawn again when they change. */
export function useMyRegions(): { readonly regions: MyRegions; readonly chosen: readonly string[] } {
  const regions = useContext(MyRegionsContext)!;
  return { regions, chosen: useWatched(regions, () => regions.value) };
}
