/** The foot of the page: links to the same data for programs, and to the page in other languages. */

import './page-footer.css';
import type { JSX } from 'preact';
import { LANGUAGES } from '../texts/languages.ts';
import { usePage } from '../parts/page-context.ts';
import { PageLink } from '../parts/page-link.tsx';

export function PageFooter(): JSX.Element {
  const { settings, texts, language } = usePage();
  return (
    <footer class="page-footer">
      <nav aria-label={texts.forPrograms}>
        <a href={settings.json}>{texts.listAsJson}</a>
        <a href="docs">{texts.api}</a>
      </nav>
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
    </footer>
  );
}
