/** All entries as a table: searched, filtered and sorted by the service, and asked for again as they change. */

import type { JSX } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { addressOf } from '../../model/address-of.ts';
import { decodeText, encodeText } from '../address/page-url.ts';
import { SearchField } from '../filters/search-box.tsx';
import { Icon } from '../parts/icon.tsx';
import { labelMarks } from '../parts/label-marks.tsx';
import type { Schemas } from './desk-api.ts';
import { useDesk, usePolled } from './desk-context.ts';
import { EntryState, LastProblem } from './desk-parts.tsx';

/** The filters that one click gives, by their names in the texts. */
const FILTERS = {
  all: '',
  hidden: 'shown=false',
  reported: 'reports=1..',
  labelled: 'labels=*',
  unreached: 'hidden_by=unreached',
  unfit: 'players_gap=1..',
} as const;

/** The columns, and the fields by which they sort. */
const COLUMNS = {
  name: 'name',
  players: 'players',
  client: 'network,client',
  since: 'registered_at',
  state: 'hidden_by',
  reports: 'reports',
} as const;

/** How many entries are drawn at first, and at most. */
const FIRST = 100;
const FIRST_ORDER = '-registered_at';
const MOST = 1000;

export interface EntriesTableProps {
  /** The query of the service, without order and limit. */
  readonly query: string;
  readonly openId: string | undefined;
}

export function EntriesTable({ query, openId }: EntriesTableProps): JSX.Element {
  const { texts, formats, find } = useDesk();
  const [sort, setSort] = useState(FIRST_ORDER);
  const [limit, setLimit] = useState(FIRST);
  const { search = '', filter } = /^(?:q=(?<search>[^&]*)&?)?(?<filter>.*)$/.exec(query)!.groups as {
    readonly search?: string;
    readonly filter: string;
  };
  const [typed, setTyped] = useState('');
  // The search may also change without typing. A space at the end is typed, and not searched for.
  useLayoutEffect(() => {
    const sought = decodeText(search);
    setTyped((last) => (last.trim() === sought ? last : sought));
  }, [search]);
  const order = filter === FILTERS.unfit && sort === FIRST_ORDER ? '-players_gap' : sort;
  const { answer, problem } = usePolled<Schemas['Entries']>(
    `servers?${query}${query === '' ? '' : '&'}sort=${order}&limit=${limit}`,
  );
  const findWithin = (words: string, within: string): void => {
    const q = words.trim();
    find([q === '' ? '' : `q=${encodeText(q)}`, within].filter((each) => each !== '').join('&'));
  };
  const hasOwnFilter = !Object.values<string>(FILTERS).includes(filter);
  return (
    <section>
      <div class="in-lines desk-tools">
        <SearchField
          placeholder={texts.search}
          value={typed}
          onInput={({ currentTarget: { value } }) => {
            setTyped(value);
            findWithin(value, filter);
          }}
        />
        <div class="in-lines" role="group" aria-label={texts.filters.title}>
          {Object.entries(FILTERS).map(([name, within]) => (
            <button
              type="button"
              class="button"
              aria-pressed={filter === within}
              onClick={() => findWithin(typed, within)}
              key={name}
            >
              {texts.filters[name as keyof typeof FILTERS]}
            </button>
          ))}
          {hasOwnFilter && (
            <button
              type="button"
              class="button desk-filter"
              aria-pressed="true"
              onClick={() => findWithin(typed, '')}
            >
              <bdi>{decodeText(filter)}</bdi> <Icon name="close" />
            </button>
          )}
        </div>
        <p class="muted" role="status">
          {answer && texts.counts(formats.number(answer.total), formats.number(answer.count))}
        </p>
      </div>
      <LastProblem problem={problem} />
      <table class="desk-table is-entries">
        <thead>
          <tr>
            {Object.entries(COLUMNS).map(([name, by]) => {
              const isBy = order === by || order === `-${by}`;
              const direction = order.startsWith('-') ? 'descending' : 'ascending';
              return (
                <th scope="col" aria-sort={isBy ? direction : undefined} class={`is-${name}`} key={name}>
                  <button
                    type="button"
                    onClick={() => setSort(sort === `-${by}` || (!isBy && name === 'name') ? by : `-${by}`)}
                  >
                    {texts.columns[name as keyof typeof COLUMNS]}
                  </button>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {answer?.servers.map((entry) => (
            <EntryRow entry={entry} isOpen={entry.id === openId} key={entry.id} />
          ))}
        </tbody>
      </table>
      {answer?.servers.length === 0 && <p class="note">{texts.none}</p>}
      {answer?.cursor !== undefined && (
        <p class="note">
          {answer.servers.length === MOST ? (
            texts.narrow
          ) : (
            <button type="button" class="button" onClick={() => setLimit(MOST)}>
              {texts.more}
            </button>
          )}
        </p>
      )}
    </section>
  );
}

interface EntryRowProps {
  readonly entry: Schemas['Entry'];
  readonly isOpen: boolean;
}

function EntryRow({ entry, isOpen }: EntryRowProps): JSX.Element {
  const { texts, formats, open } = useDesk();
  const { id, name, host, port, players, max_players: places, client, network, reports } = entry;
  const { players_gap: gap } = entry;
  return (
    <tr class={isOpen ? 'is-open' : ''}>
      <td class="is-name">
        <button
          type="button"
          class="link"
          aria-expanded={isOpen}
          onClick={() => open(isOpen ? undefined : id)}
        >
          <bdi>{name}</bdi>
        </button>
        <span class="line">
          <bdi>{addressOf(host, port)}</bdi> {labelMarks(entry.labels)}
        </span>
      </td>
      <td class="is-players">
        {formats.number(players)} / {formats.number(places)}
        {gap !== undefined && gap !== 0 && <b class="line">{texts.seen(formats.number(players - gap))}</b>}
      </td>
      <td class="is-client">
        <bdi>{client}</bdi>
        {network !== client && <bdi class="line">{network}</bdi>}
      </td>
      <td class="is-since">
        <time dateTime={entry.registered_at}>{formats.dateTime(Date.parse(entry.registered_at))}</time>
      </td>
      <td class="is-state">
        <EntryState entry={entry} />
      </td>
      <td class="is-reports" data-head={texts.columns.reports}>
        {reports && formats.number(reports.count)}
      </td>
    </tr>
  );
}
