/**
 * The context of every component of the page, and the further context of those that need its script: the service
 * renders the other components, too (plain/).
 */

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ListClient, ListStatus } from '../connection/list-client.ts';
import type { PageState } from '../address/page-url.ts';
import type { ScrollPlace } from '../address/scroll-place.ts';
import type { Settings } from '../connection/settings.ts';
import type { Texts } from '../texts/en.ts';
import type { Formats } from '../texts/formats.ts';
import { useWatched } from '../hooks/use-watched.ts';

export interface PageContextValue {
  readonly settings: Settings;
  /** The address of the service, for addresses that are relative to it; it ends in a slash. */
  readonly root: string;
  readonly state: PageState;
  /**
   * Changes the state and the address. A function is given the state to change, since the last change may not be
   * rendered yet. `replace`: without a step of the browser's history.
   */
  readonly navigate: (
    change: Partial<PageState> | ((state: PageState) => Partial<PageState>),
    options?: { readonly replace?: boolean },
  ) => void;
  /** The address of the page in a changed state, for links. */
  readonly hrefOf: (change: Partial<PageState>) => string;
  readonly texts: Texts;
  /** The name of a region, as players know it. */
  readonly regionName: (region: string) => string;
  /** Writes numbers and times as the reader does. */
  readonly formats: Formats;
  /** The tag of the language in use. */
  readonly language: string;
}

/** The parts that exist only where the script of the page runs. */
export interface LiveContextValue {
  readonly list: ListClient;
  readonly place: ScrollPlace;
}

export const PageContext = createContext<PageContextValue | undefined>(undefined);

export function usePage(): PageContextValue {
  return useContext(PageContext)!;
}

export const LiveContext = createContext<LiveContextValue | undefined>(undefined);

export function useLive(): LiveContextValue {
  return useContext(LiveContext)!;
}

/** The present list; the component renders again when it changes. */
export function useListStatus(): ListStatus {
  const { list } = useLive();
  return useWatched(list, () => list.status);
}
