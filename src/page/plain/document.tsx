/** A whole HTML document: the resources that a browser loads for the page, and the content until the script runs. */

import type { ComponentChildren, JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { formatPageUrl, parsePageUrl, type PageState } from '../address/page-url.ts';
import { PageContext, usePage, type PageContextValue } from '../parts/page-context.ts';
import { EmbedHead, Head } from '../shell/head.tsx';
import { Notice } from '../shell/notice.tsx';
import { MISSING_ID } from '../missing/missing-line.tsx';
import { LanguageLinks, PageFooter } from '../shell/page-footer.tsx';
import { IconSprite } from '../parts/icon.tsx';
import { regionName } from '../parts/regions.tsx';
import { createFormats } from '../texts/formats.ts';
import { LANGUAGES } from '../texts/languages.ts';
import type { PlainView } from './renderer.ts';

/** The page as its components know it. `change`: the parts of the state that differ from what the address asks for. */
export function plainContextOf(
  { settings, query, language }: PlainView,
  change: Partial<PageState> = {},
): PageContextValue {
  // The other views need the script.
  const state = { ...parsePageUrl(query), view: 'list' as const, ...change };
  const texts = LANGUAGES.get(language)!;
  const { root } = settings;
  return {
    settings,
    root,
    state,
    language,
    texts,
    regionName: (region) => regionName(region, settings.regions, texts),
    formats: { ...createFormats(language), dateTime: inUtc(language) },
    hrefOf: (to) => `${root}browse${formatPageUrl({ ...state, ...to })}`,
    navigate: () => undefined,
  };
}

/** Times in UTC, since the service does not know the reader's zone. */
function inUtc(language: string): (at: number) => string {
  const style = { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' } as const;
  return (at) => new Intl.DateTimeFormat(language, style).format(at);
}

export interface DocumentOptions {
  readonly view: PlainView;
  readonly context: PageContextValue;
  /** The title in the browser. */
  readonly title: string;
  /** More for the head of the document: what tells other programs of it. */
  readonly head?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function renderDocument(options: DocumentOptions): string {
  return `<!doctype html>${renderToString(<Document {...options} />)}`;
}

/** What stands at the foot of the page, for readers who have a hundred rows before it. */
function PlainLinks(): JSX.Element {
  const { texts, hrefOf } = usePage();
  return (
    <noscript>
      <span class="plain-links">
        <a href={`${hrefOf({ view: 'list', serverId: undefined })}#${MISSING_ID}`}>{texts.missing.open}</a>
        <LanguageLinks />
      </span>
    </noscript>
  );
}

function Document({ view, context, title, head, children }: DocumentOptions): JSX.Element {
  const { settings, files, language } = view;
  const { texts, state, root } = context;
  const { theme } = state.look;
  return (
    <html
      lang={language}
      dir={texts.direction}
      data-theme={theme ?? 'auto'}
      data-settings={JSON.stringify(settings)}
    >
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme ?? 'light dark'} />
        <title>{title}</title>
        {head ?? <meta name="description" content={settings.title} />}
        <link rel="icon" href={root + files.icon} />
        {!state.isEmbedded && <script src={root + files.theme}></script>}
        {files.styles.map((href) => (
          <link rel="stylesheet" href={root + href} key={href} />
        ))}
        <link rel="modulepreload" href={root + files.script} />
        <script defer src={root + files.start}></script>
      </head>
      <body>
        <IconSprite />
        <div id="app">
          <PageContext.Provider value={context}>
            {state.isEmbedded ? (
              <EmbedHead />
            ) : (
              <Head>
                <PlainLinks />
              </Head>
            )}
            <main>
              <Notice />
              {children}
            </main>
            {!state.isEmbedded && <PageFooter />}
          </PageContext.Provider>
        </div>
      </body>
    </html>
  );
}
