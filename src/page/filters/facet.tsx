/** The values of one field, with how many servers and players have them. Several values widen. */

import './facet.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { textsOf } from './edit-filters.ts';
import { usePage } from '../parts/page-context.ts';
import type { FacetCounts, FacetName } from './use-facets.ts';

export interface FacetOptions {
  readonly name: FacetName;
  /** Undefined until they are known. */
  readonly counts: FacetCounts | undefined;
  readonly onToggle: (value: string) => void;
}

interface Counts {
  readonly servers: number;
  readonly players: number;
}

const NONE: Counts = { servers: 0, players: 0 };
/** The service names so many; one more may be among the others. */
const MOST_NAMED = 50;
/** More values than these can be searched. */
const SEARCHED_FROM = 9;

export function Facet({ name, counts, onToggle }: FacetOptions): JSX.Element | null {
  const { state, texts } = usePage();
  const [sought, setSought] = useState('');
  const chosen = textsOf(state.filters, name);
  const named = new Map<string, Counts | undefined>(counts?.values.map((each) => [each.value, each]));
  const isWhole = counts !== undefined && counts.values.length < MOST_NAMED;
  for (const value of chosen) if (!named.has(value)) named.set(value, isWhole ? NONE : undefined);
  if (named.size === 0) return null;

  const label = texts.columns[name];
  const shown = [...named].filter(([value]) => value.toLowerCase().includes(sought.toLowerCase()));
  return (
    <fieldset class="facet">
      <legend>{label}</legend>
      {named.size >= SEARCHED_FROM && (
        <input
          class="field"
          type="search"
          aria-label={texts.filters.searchIn(label)}
          placeholder={texts.filters.searchIn(label)}
          value={sought}
          onInput={({ currentTarget }) => setSought(currentTarget.value)}
        />
      )}
      <div class="facet-values">
        <p class="facet-value muted" aria-hidden="true">
          <span>{texts.statistics.numberOf.servers}</span>
          <span>{texts.statistics.numberOf.players}</span>
        </p>
        {shown.map(([value, count]) => (
          <label class="facet-value" key={value}>
            <input type="checkbox" checked={chosen.includes(value)} onChange={() => onToggle(value)} />
            <bdi title={value}>{value}</bdi>
            <Numbers count={count} />
          </label>
        ))}
        {counts !== undefined && counts.other.servers > 0 && (
          <p class="facet-value muted">
            <span>{texts.statistics.otherValues}</span>
            <Numbers count={counts.other} />
          </p>
        )}
      </div>
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
