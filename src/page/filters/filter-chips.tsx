/** The active filters, including those without another control on the page. Each is a link to the list without it. */

import './filter-chips.css';
import type { JSX, TargetedMouseEvent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { activeValues } from './edit-filters.ts';
import { describeFilter, inWords } from './describe-filter.ts';
import { Icon } from '../parts/icon.tsx';
import type { ListStatus } from '../connection/list-client.ts';
import { usePage } from '../parts/page-context.ts';
import { hidingFilters } from '../address/page-url.ts';
import { PageLink } from '../parts/page-link.tsx';

/** `wrongFilters`: the names of the filters that are not understood. */
export function FilterChips({ wrongFilters }: Pick<ListStatus, 'wrongFilters'>): JSX.Element | null {
  const page = usePage();
  const { settings, state, texts } = page;
  const chips = useRef<HTMLUListElement>(null);
  const removedAt = useRef<number | undefined>(undefined);

  // The focus must not be lost with the removed chip that had it.
  useLayoutEffect(() => {
    if (removedAt.current === undefined) return;
    const links = chips.current?.querySelectorAll('a') ?? [];
    (links[removedAt.current] ?? links[links.length - 1] ?? document.getElementById('search'))?.focus();
    removedAt.current = undefined;
  }, [state.filters]);

  // A search that the search field shows needs no chip.
  const searched = state.look.hasSearch ? state.filters.find(({ name }) => name === 'q') : undefined;
  const values = activeValues(state.filters).filter(
    ({ filter }) => filter !== searched || wrongFilters.includes('q'),
  );
  const locked = activeValues(state.locked);
  const hiding = hidingFilters(state, settings.hiddenLabels);
  if (values.length + locked.length + hiding.length === 0) return null;
  const noteRemoved = ({ target, currentTarget }: TargetedMouseEvent<HTMLUListElement>): void => {
    const at = [...currentTarget.querySelectorAll('a')].findIndex((link) => link.contains(target as Node));
    if (at !== -1) removedAt.current = at === values.length ? 0 : at;
  };
  return (
    <ul class="unmarked filter-chips" aria-label={texts.filters.active} ref={chips} onClick={noteRemoved}>
      {locked.map(({ filter: { name }, text }) => (
        <li class="filter-chip is-locked" key={`locked ${name}=${text}`}>
          <ChipText name={name} text={text} isWrong={wrongFilters.includes(name)} />
        </li>
      ))}
      {values.map(({ filter: { name }, text, others }) => {
        const words = describeFilter(page, name, text);
        const isWrong = wrongFilters.includes(name);
        const wrong = isWrong ? texts.filters.notUnderstood : '';
        return (
          <li key={`${name}=${text}`}>
            <PageLink
              to={{ filters: others }}
              class={`button filter-chip${isWrong ? ' is-wrong' : ''}`}
              aria-label={texts.filters.remove(`${inWords(words)} ${wrong}`.trim())}
            >
              <ChipText name={name} text={text} isWrong={isWrong} />
              <Icon name="close" />
            </PageLink>
          </li>
        );
      })}
      {hiding.length > 0 && (
        <li>
          <PageLink to={{ showsHidden: true }} class="button filter-chip">
            <span class="filter-text">
              {texts.filters.hidden} <bdi>{settings.hiddenLabels.join(', ')}</bdi>
            </span>
            <Icon name="close" />
          </PageLink>
        </li>
      )}
      {values.length > 0 && (
        <li>
          <PageLink to={{ filters: [] }} class="button filter-chip is-plain">
            {texts.filters.clearAll}
          </PageLink>
        </li>
      )}
    </ul>
  );
}

interface ChipTextOptions {
  readonly name: string;
  readonly text: string;
  readonly isWrong: boolean;
}

/** One value of a filter in words, and whether it is understood. */
function ChipText({ name, text, isWrong }: ChipTextOptions): JSX.Element {
  const page = usePage();
  const words = describeFilter(page, name, text);
  return (
    <span class="filter-text" title={inWords(words)}>
      {words.label} <bdi>{words.value}</bdi> {isWrong && <em>{page.texts.filters.notUnderstood}</em>}
    </span>
  );
}
