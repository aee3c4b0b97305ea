/** The values of one field, with the numbers of their servers and players. Several chosen values widen the filter. */

import './filters.css';
import type { JSX } from 'preact';
import { LONGEST_SEARCH } from '../../model/query/limits.ts';
import type { FacetAsk, FacetName } from '../connection/messages.ts';
import { usePage } from '../parts/page-context.ts';
import { fieldInWords, valueInWords } from './describe-filter.ts';
import { textsOf } from './edit-filters.ts';
import type { ShownFacet } from './use-facets.ts';

export interface FacetOptions {
  readonly name: FacetName;
  /** Undefined until it is counted. */
  readonly facet: ShownFacet | undefined;
  readonly asked: FacetAsk;
  readonly onAsk: (ask: FacetAsk) => void;
  readonly onToggle: (value: string) => void;
}

interface Counts {
  readonly servers: number;
  readonly players: number;
}

/** How many values are shown at first. If there are more, they can be searched. */
export const FIRST_VALUES = 8;
/** How many more values one click shows. */
const MORE_VALUES = 50;

export function FacetGroup({ name, facet, asked, onAsk, onToggle }: FacetOptions): JSX.Element | null {
  const page = usePage();
  const { state, texts } = page;
  const chosen = textsOf(state.filters, name);
  const named = new Map<string, Counts | undefined>(facet?.values.map((each) => [each.value, each]));
  for (const value of chosen) if (!named.has(value)) named.set(value, undefined);
  if (named.size === 0 && asked.sought === '') return null;

  const label = fieldInWords(texts, name);
  const inWords = (value: string): string => valueInWords(page, name, value);
  const { more = 0, others } = facet ?? {};
  const showMore = (button: HTMLElement): void => {
    // The button may disappear, and the focus must not be lost with it: after the last value comes the first new one.
    const values = button.closest('fieldset')!.querySelectorAll<HTMLElement>('[type=checkbox]');
    values[values.length - 1]?.focus();
    onAsk({ ...asked, most: asked.most + MORE_VALUES });
  };
  return (
    <fieldset class="facet">
      <legend>{label}</legend>
      {(asked.sought !== '' || named.size + more > FIRST_VALUES) && (
        <input
          class="field"
          type="search"
          aria-label={texts.filters.searchIn(label)}
          placeholder={texts.filters.searchIn(label)}
          maxLength={LONGEST_SEARCH}
          value={asked.sought}
          onInput={({ currentTarget }) => onAsk({ ...asked, sought: currentTarget.value })}
        />
      )}
      <p class="facet-value muted" aria-hidden="true">
        <span>{texts.statistics.numberOf.servers}</span>
        <span>{texts.statistics.numberOf.players}</span>
      </p>
      {[...named].map(([value, count]) => (
        <label class="facet-value" key={value}>
          <input type="checkbox" checked={chosen.includes(value)} onChange={() => onToggle(value)} />
          <bdi title={inWords(value)}>{inWords(value)}</bdi>
          <Numbers count={count} />
        </label>
      ))}
      {more > 0 && (
        <button
          type="button"
          class="button facet-more"
          onClick={({ currentTarget }) => showMore(currentTarget)}
        >
          {texts.filters.others(more)}
        </button>
      )}
      {more === 0 && others !== undefined && others.servers > 0 && (
        <p class="facet-value muted">
          <span>{texts.statistics.otherValues}</span>
          <Numbers count={others} />
        </p>
      )}
    </fieldset>
  );
}

function Numbers({ count }: { readonly count: Counts | undefined }): JSX.Element | null {
  const { texts, formats } = usePage();
  if (count === undefined) return null;
  return (
    <>
      <span class="visually-hidden">{texts.filters.count(count.servers, count.players)}</span>
      <span aria-hidden="true">{formats.number(count.servers)}</span>
      <span aria-hidden="true">{formats.number(count.players)}</span>
    </>
  );
}
