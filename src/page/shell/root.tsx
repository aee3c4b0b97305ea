/** Holds the state of the page and its address together, and gives both to all components. */

import type { JSX } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import type { ListClient } from '../connection/list-client.ts';
import { formatPageUrl, parsePageUrl, type PageState } from '../address/page-url.ts';
import { keepView } from '../address/last-view.ts';
import type { ScrollPlace } from '../address/scroll-place.ts';
import type { Settings } from '../connection/settings.ts';
import { isUnlistedServer } from '../parts/is-unlisted-server.ts';
import { regionName } from '../parts/regions.tsx';
import { createFormats, localeOf } from '../texts/formats.ts';
import { chooseLanguage, LANGUAGES } from '../texts/languages.ts';
import { App } from './app.tsx';
import { LiveContext, PageContext, type PageContextValue } from '../parts/page-context.ts';

export interface RootOptions {
  readonly settings: Settings;
  readonly list: ListClient;
  readonly place: ScrollPlace;
  /** The path of the service. */
  readonly root: string;
}

/** The parts of the state that change the content, and not only how it is shown or what lies over it. */
const CONTENT: readonly (keyof PageState)[] = ['view', 'filters', 'sort', 'isFavouritesOnly'];

export function Root({ settings, list, place, root }: RootOptions): JSX.Element {
  const [state, setState] = useState(() => firstStateOf(location, root));
  useEffect(() => {
    const follow = (): void => setState(stateAt(location, root));
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);

  const hrefOf = useCallback(
    (change: Partial<PageState>) => `${root}browse${formatPageUrl({ ...state, ...change })}`,
    [state],
  );
  const navigate = useCallback<PageContextValue['navigate']>((asked, { replace = false } = {}) => {
    // The state is read from the address, not from the last rendering: two changes may come before the next one.
    const before = stateAt(location, root);
    const change = typeof asked === 'function' ? asked(before) : asked;
    const next = { ...before, ...change };
    const href = `${root}browse${formatPageUrl(next)}`;
    if (href === location.pathname + location.search) return;
    if (replace) {
      replaceAddress(href);
    } else {
      place.leave();
      history.pushState(null, '', href);
    }
    if (CONTENT.some((key) => key in change)) place.begin();
    if (!next.isEmbedded && ('filters' in change || 'sort' in change)) keepView(choiceOf(next));
    setState(next);
  }, []);

  const language = chooseLanguage([
    ...(state.language === undefined ? [] : [state.language]),
    ...navigator.languages,
  ]);
  useEffect(() => {
    document.documentElement.lang = language;
    document.documentElement.dir = LANGUAGES.get(language)!.direction;
  }, [language]);

  const words = useMemo(
    () => ({
      language,
      texts: LANGUAGES.get(language)!,
      formats: createFormats(localeOf(language, navigator.languages)),
      regionName: (region: string) => regionName(region, settings.regions, LANGUAGES.get(language)!),
    }),
    [language, settings],
  );
  const value = useMemo(
    () => ({ settings, root, state, navigate, hrefOf, ...words }),
    [settings, root, state, navigate, hrefOf, words],
  );
  const live = useMemo(() => ({ list, place }), [list, place]);
  return (
    <PageContext.Provider value={value}>
      <LiveContext.Provider value={live}>
        <App />
      </LiveContext.Provider>
    </PageContext.Provider>
  );
}

/** The state that an address of the page asks for. */
export function stateAt(
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
  root: string,
): PageState {
  return parsePageUrl(search, pathname.slice(`${root}browse`.length));
}

/** The state with which a visit begins: an unlisted server is opened by its join code alone, and by no link. */
function firstStateOf(address: Location, root: string): PageState {
  const state = stateAt(address, root);
  const isUnlisted = state.serverId !== undefined && isUnlistedServer({ id: state.serverId });
  return isUnlisted ? { ...state, view: 'list', serverId: undefined } : state;
}

/** The choice with which the next visit begins, without searched words: they belong to this visit. */
function choiceOf({ filters, sort }: PageState): string {
  return formatPageUrl({ ...parsePageUrl(''), filters: filters.filter(({ name }) => name !== 'q'), sort });
}

/** Some browsers refuse more than some ten changes a second; the address then follows with the next change. */
function replaceAddress(href: string): void {
  try {
    history.replaceState(history.state, '', href);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
