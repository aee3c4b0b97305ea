/** The filters and the order to choose from: beside the list on wide pages, and on others a sheet over its end. */

import './filters.css';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { encodeText } from '../address/page-url.ts';
import { NEAR } from '../../model/near.ts';
import { ORDERS } from '../address/sort-order.ts';
import { fieldInWords } from './describe-filter.ts';
import { boundsOf, rangeText, filterText, toggleText, withValue } from './edit-filters.ts';
import { FacetGroup, FIRST_VALUES } from './facet-group.tsx';
import { FACETS, facetNames } from '../connection/messages.ts';
import { FLAGS } from '../parts/flags.ts';
import { Icon } from '../parts/icon.tsx';
import { useListStatus, useLive, usePage } from '../parts/page-context.ts';
import { PageLink } from '../parts/page-link.tsx';
import { useHold } from '../hooks/use-hold.ts';
import type { Texts } from '../texts/en.ts';
import { askFor, useFacets } from './use-facets.ts';

export const FILTER_PANEL_ID = 'filter-panel';
const ORDER_ID = 'order';

/** The switches: the filter that each sets, and its text. */
const SWITCHES = [
  { name: 'full', value: 'false', textIn: ({ filters }: Texts) => filters.notFull },
  { name: 'empty', value: 'false', textIn: ({ filters }: Texts) => filters.notEmpty },
  ...FLAGS.map((name) => ({
    name: `${name}!`,
    value: 'true',
    textIn: ({ flags }: Texts) => flags[name].without,
  })),
];

export function FilterPanel({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const { list } = useLive();
  const { settings, state, texts, navigate } = usePage();
  const { rows, facets: counted } = useListStatus();
  const [asks, setAsks] = useState(() => askFor(FIRST_VALUES, settings.metaFilters));
  const facets = useFacets(asks);
  const { filters } = state;
  const panel = useRef<HTMLElement>(null);
  useLayoutEffect(() => panel.current!.focus({ preventScroll: true }), []);
  useHold(panel, list);
  const press = (event: KeyboardEvent): void => {
    const { key, target } = event;
    // The first Escape empties a search.
    const isOfSearch = target instanceof HTMLInputElement && target.type === 'search' && target.value !== '';
    if (key !== 'Escape' || isOfSearch) return;
    // The key must not also close the details of a server beside the list.
    event.preventDefault();
    onClose();
  };
  const title = texts.filters.title(0);
  return (
    <section
      class="panel filter-panel"
      id={FILTER_PANEL_ID}
      aria-label={title}
      tabIndex={-1}
      ref={panel}
      onKeyDown={press}
    >
      <div class="filter-head">
        <h2>{title}</h2>
        <button type="button" class="icon-button" aria-label={texts.close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <div class="filter-choices">
        <Order />
        <fieldset>
          <legend>{texts.list}</legend>
          {SWITCHES.map(({ name, value, textIn }) => {
            const isOn = filterText(filters, name) === value;
            return (
              <label key={name}>
                <input
                  type="checkbox"
                  checked={isOn}
                  onChange={({ currentTarget: { checked } }) =>
                    navigate((before) => ({ filters: withValue(before.filters, name, checked ? value : '') }))
                  }
                />
                {textIn(texts)}
              </label>
            );
          })}
          <label>
            <input
              type="checkbox"
              checked={state.isFavouritesOnly}
              onChange={() => navigate((before) => ({ isFavouritesOnly: !before.isFavouritesOnly }))}
            />
            {texts.filters.favourites}
          </label>
          <PlayersRange />
          {settings.hasJoinCodes && <PageLink to={{ joinCode: '' }}>{texts.join.open}</PageLink>}
        </fieldset>
        {(counted === 'too long' ? FACETS : facetNames(settings.metaFilters)).map((name) => (
          <FacetGroup
            name={name}
            facet={facets[name]}
            asked={asks[name]!}
            onAsk={(ask) => setAsks({ ...asks, [name]: ask })}
            onToggle={(value) => navigate((before) => ({ filters: toggleText(before.filters, name, value) }))}
            key={name}
          />
        ))}
        {counted === 'too long' &&
          settings.metaFilters.map((key) => <MetaField name={`meta.${key}`} key={key} />)}
      </div>
      <button type="button" class="button is-main" onClick={onClose}>
        {texts.filters.show(rows?.matching ?? 0)}
      </button>
    </section>
  );
}

function Order(): JSX.Element {
  const { settings, state, texts, navigate } = usePage();
  const orders = [...ORDERS, ...(settings.hasBeacons ? ([NEAR] as const) : [])];
  const isOther = !orders.some((order) => order === state.sort);
  return (
    <fieldset>
      <legend>
        <label for={ORDER_ID}>{texts.order}</label>
      </legend>
      <select
        class="field"
        id={ORDER_ID}
        value={state.sort}
        onChange={({ currentTarget }) => navigate({ sort: currentTarget.value })}
      >
        {/* Heads of the table and addresses may have others. */}
        {isOther && <option value={state.sort}>{state.sort}</option>}
        {orders.map((order) => (
          <option value={order} key={order}>
            {texts.orders[order]}
          </option>
        ))}
      </select>
    </fieldset>
  );
}

function PlayersRange(): JSX.Element {
  const { state, texts, navigate } = usePage();
  const [from, to] = boundsOf(filterText(state.filters, 'players'));
  const change = (rangeOf: (first: string, last: string) => string): void =>
    navigate(({ filters }) => {
      const bounds = boundsOf(filterText(filters, 'players'));
      return { filters: withValue(filters, 'players', rangeOf(...bounds)) };
    });
  return (
    <div class="in-lines players-range">
      {texts.columns.players}
      <TypedField
        kind="number"
        label={texts.filters.playersFrom}
        value={from}
        onSet={(text) => change((_, last) => rangeText(text, last))}
      />
      –
      <TypedField
        kind="number"
        label={texts.filters.playersTo}
        value={to}
        onSet={(text) => change((first) => rangeText(first, text))}
      />
    </div>
  );
}

/** The filter by a key of `meta` whose values are not counted: a value to be typed. */
function MetaField({ name }: { readonly name: string }): JSX.Element {
  const { state, texts, navigate } = usePage();
  const label = fieldInWords(texts, name);
  const change = (text: string): void =>
    navigate(({ filters }) => ({ filters: withValue(filters, name, encodeText(text.trim())) }));
  return (
    <fieldset>
      <legend>
        <bdi>{label}</bdi>
      </legend>
      <TypedField label={label} value={filterText(state.filters, name)} onSet={change} kind="text" />
    </fieldset>
  );
}

interface TypedFieldOptions {
  readonly label: string;
  readonly value: string;
  readonly onSet: (text: string) => void;
  readonly kind: keyof typeof KINDS;
}

const KINDS = {
  number: { type: 'number', min: 0, max: 999_999_999, inputMode: 'numeric' },
  text: { type: 'text', autoComplete: 'off', spellcheck: false },
} as const;

/** A field that keeps what is typed until it takes effect, since each change of the list renders the panel again. */
function TypedField({ label, value, onSet, kind }: TypedFieldOptions): JSX.Element {
  const [typed, setTyped] = useState<string>();
  return (
    <input
      class="field"
      {...KINDS[kind]}
      aria-label={label}
      placeholder="…"
      value={typed ?? value}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      onChange={({ currentTarget }) => {
        onSet(currentTarget.value);
        setTyped(undefined);
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}
