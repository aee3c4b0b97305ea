/** Holds the state of the page and its address together, and gives both to all components. */

import type { JSX } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import type { ListClient } from '../connection/list-client.ts';
import { formatPageUrl, parsePageUrl, type PageState } from '../address/page-url.ts';
import { keepView } from '../address/last-view.ts';
import type { ScrollPlace } from '../address/scroll-place.ts';
import type { Settings } from '../connection/settings.ts';
import { createFormats, localeOf } from '../texts/formats.ts';
import { chooseLanguage, LANGUAGES } from '../texts/languages.ts';
import { App } from './app.tsx';
import { LiveContext, PageContext, type PageContextValue } from '../parts/page-context.ts';

export interface RootOptions {
  readonly settings: Settings;
  readonly list: ListClient;
  readonly place: ScrollPlace;
}

/** A change of these shows other things, and not the same ones in another way or with something over them. */
const CONTENT: readonly (keyof PageState)[] = ['view', 'filters', 'sort', 'isFavouritesOnly'];

export function Root({ settings, list, place }: RootOptions): JSX.Element {
  const [state, setState] = useState(() => parsePageUrl(location.search));
  useEffect(() => {
    const follow = (): void => setState(parsePageUrl(location.search));
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);

  const hrefOf = useCallback(
    (change: Partial<PageState>) => location.pathname + formatPageUrl({ ...state, ...change }),
    [state],
  );
  const navigate = useCallback<PageContextValue['navigate']>((change, { replace = false } = {}) => {
    // What the address says now, and not what was last drawn: two changes may come before the next drawing.
    const next = { ...parsePageUrl(location.search), ...change };
    const href = location.pathname + formatPageUrl(next);
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
    }),
    [language],
  );
  const value = useMemo(
    () => ({ settings, state, navigate, hrefOf, ...words }),
    [settings, state, navigate, hrefOf, words],
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

/** What the next visit begins with: words that were searched for are of this one. */
function choiceOf({ filters, sort }: PageState): string {
  return formatPageUrl({ ...parsePageUrl(''), filters: filters.filter(({ name }) => name !== 'q'), sort });
}

/** Some browsers refuse more than some ten changes a second: then the address follows with the next one. */
function replaceAddress(href: string): void {
  try {
    history.replaceState(history.state, '', href);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
