/** The foot of the page: links to the same data for programs, and to the page in other languages. */

import type { JSX } from 'preact';
import { LANGUAGES } from '../texts/languages.ts';
import { usePage } from '../parts/page-context.ts';
import { PageLink } from '../parts/page-link.tsx';

export function PageFooter(): JSX.Element {
  const { settings, root, texts } = usePage();
  return (
    <footer class="page-footer">
      <nav aria-label={texts.forPrograms}>
        <a href={root + settings.json}>{texts.listAsJson}</a>
        <a href={`${root}docs`}>{texts.api}</a>
      </nav>
      <LanguageLinks />
    </footer>
  );
}

/** The page in other languages. */
export function LanguageLinks(): JSX.Element {
  const { texts, language } = usePage();
  return (
    <nav aria-label={texts.languages}>
      {[...LANGUAGES].map(([tag, { language: name }]) => (
        <PageLink
          to={{ language: tag }}
          lang={tag}
          aria-current={tag === language ? 'true' : undefined}
          key={tag}
        >
          {name}
        </PageLink>
      ))}
    </nav>
  );
}
