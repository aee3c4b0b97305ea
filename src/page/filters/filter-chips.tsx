/** The active filters, also those that the page has no other control for. Each goes by a click. */

import './filter-chips.css';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { activeValues, type ActiveValue } from './edit-filters.ts';
import { describeFilter, inWords } from './describe-filter.ts';
import { Icon } from '../parts/icon.tsx';
import { useListStatus, usePage } from '../parts/page-context.ts';

export function FilterChips(): JSX.Element | null {
  const { state, texts, navigate } = usePage();
  const { wrongFilters } = useListStatus();
  const chips = useRef<HTMLUListElement>(null);
  const removedAt = useRef<number | undefined>(undefined);

  // The focus must not be lost with the chip that had it.
  useLayoutEffect(() => {
    if (removedAt.current === undefined) return;
    const buttons = chips.current?.querySelectorAll('button') ?? [];
    (buttons[removedAt.current] ?? buttons[buttons.length - 1] ?? document.getElementById('search'))?.focus();
    removedAt.current = undefined;
  }, [state.filters]);

  // What the field for the search shows needs no chip.
  const searched = state.look.hasSearch ? state.filters.find(({ name }) => name === 'q') : undefined;
  const values = activeValues(state.filters).filter(
    ({ filter }) => filter !== searched || wrongFilters.includes('q'),
  );
  const locked = activeValues(state.locked);
  if (values.length + locked.length === 0) return null;
  const remove = (at: number, filters: ActiveValue['others']): void => {
    removedAt.current = at;
    navigate({ filters });
  };
  return (
    <ul class="filter-chips" aria-label={texts.filters.active} ref={chips}>
      {locked.map(({ filter: { name }, text }) => (
        <li class="filter-chip is-locked" key={`locked ${name}=${text}`}>
          <ChipText name={name} text={text} />
        </li>
      ))}
      {values.map(({ filter: { name }, text, others }, at) => {
        const words = describeFilter(texts, name, text);
        const wrong = wrongFilters.includes(name) ? texts.filters.notUnderstood : '';
        return (
          <li key={`${name}=${text}`}>
            <button
              type="button"
              class={`button filter-chip${wrong === '' ? '' : ' is-wrong'}`}
              aria-label={texts.filters.remove(`${inWords(words)} ${wrong}`.trim())}
              onClick={() => remove(at, others)}
            >
              <ChipText name={name} text={text} />
              <Icon name="close" />
            </button>
          </li>
        );
      })}
      {values.length > 0 && (
        <li>
          <button type="button" class="button filter-chip is-plain" onClick={() => remove(0, [])}>
            {texts.filters.clearAll}
          </button>
        </li>
      )}
    </ul>
  );
}

/** What one value of a filter asks for, and whether it is understood. */
function ChipText({ name, text }: { readonly name: string; readonly text: string }): JSX.Element {
  const { texts } = usePage();
  const { wrongFilters } = useListStatus();
  const words = describeFilter(texts, name, text);
  return (
    <span class="filter-text" title={inWords(words)}>
      {words.label} <bdi>{words.value}</bdi>{' '}
      {wrongFilters.includes(name) && <em>{texts.filters.notUnderstood}</em>}
    </span>
  );
}
