/** What narrows the list: the search, the filters, and those that are active. */

import './filter-bar.css';
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { without } from './edit-filters.ts';
import { FilterChips } from './filter-chips.tsx';
import { FilterPanel } from './filter-panel.tsx';
import { Icon } from '../parts/icon.tsx';
import { usePage } from '../parts/page-context.ts';
import { PageLink } from '../parts/page-link.tsx';
import { SearchBox } from './search-box.tsx';

const PANEL_ID = 'filter-panel';

export function FilterBar(): JSX.Element {
  const { settings, state, texts, navigate } = usePage();
  const [isOpen, setIsOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const active = without(state.filters, 'q').length;
  const close = (): void => {
    setIsOpen(false);
    opener.current!.focus();
  };
  return (
    <search class="filter-bar">
      <div class="filter-line">
        <SearchBox />
        {!state.isEmbedded && (
          <>
            <button
              type="button"
              class="button"
              ref={opener}
              aria-expanded={isOpen}
              aria-controls={isOpen ? PANEL_ID : undefined}
              onClick={() => setIsOpen(!isOpen)}
            >
              {texts.filters.title(active)}
            </button>
            <button
              type="button"
              class="button"
              aria-pressed={state.isFavouritesOnly}
              onClick={() => navigate({ isFavouritesOnly: !state.isFavouritesOnly })}
            >
              <Icon name="star" />
              {texts.filters.favourites}
            </button>
            {settings.hasJoinCodes && (
              <PageLink to={{ joinCode: '' }} class="button">
                {texts.join.open}
              </PageLink>
            )}
          </>
        )}
      </div>
      {isOpen && <FilterPanel id={PANEL_ID} onClose={close} />}
      <FilterChips />
    </search>
  );
}
