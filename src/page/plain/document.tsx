/** A whole HTML document: the resources that a browser loads for the page, and the content until the script runs. */

import type { ComponentChildren, JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { formatPageUrl, parsePageUrl, type PageState } from '../address/page-url.ts';
import { PageContext, type PageContextValue } from '../parts/page-context.ts';
import { EmbedHead, Head } from '../shell/head.tsx';
import { Notice } from '../shell/notice.tsx';
import { PageFooter } from '../shell/page-footer.tsx';
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
  return {
    settings,
    state,
    language,
    texts: LANGUAGES.get(language)!,
    formats: { ...createFormats(language), dateTime: inUtc(language) },
    hrefOf: (to) => `browse${formatPageUrl({ ...state, ...to })}`,
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
  readonly children: ComponentChildren;
}

export function renderDocument(options: DocumentOptions): string {
  return `<!doctype html>${renderToString(<Document {...options} />)}`;
}

function Document({ view, context, title, children }: DocumentOptions): JSX.Element {
  const { settings, files, language } = view;
  const { texts, state } = context;
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
        <meta name="description" content={settings.title} />
        <meta name="color-scheme" content={theme ?? 'light dark'} />
        <title>{title}</title>
        <link rel="icon" href={files.icon} />
        {!state.isEmbedded && <script src={files.theme}></script>}
        {files.styles.map((href) => (
          <link rel="stylesheet" href={href} key={href} />
        ))}
        <link rel="modulepreload" href={files.script} />
        <script defer src={files.start}></script>
      </head>
      <body>
        <div id="app">
          <PageContext.Provider value={context}>
            {state.isEmbedded ? <EmbedHead /> : <Head />}
            <div class="page-body">
              <main>
                <Notice />
                {children}
              </main>
            </div>
            {!state.isEmbedded && <PageFooter />}
          </PageContext.Provider>
        </div>
      </body>
    </html>
  );
}
