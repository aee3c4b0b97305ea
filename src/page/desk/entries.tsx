/** All entries as a table: searched, filtered and sorted by the service, and asked for again as they change. */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { addressOf } from '../../model/address-of.ts';
import { Icon } from '../parts/icon.tsx';
import type { Schemas } from './desk-api.ts';
import { useDesk, usePolled } from './desk-context.ts';

/** The filters that one click gives, by their names in the texts. */
const FILTERS = {
  all: '',
  hidden: 'shown=false',
  reported: 'reports=1..',
  labelled: 'labels=*',
  unreached: 'hidden_by=unreached',
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

const PAGE = 100;
const MOST = 1000;

export interface EntriesProps {
  /** The query of the service, without order and limit. */
  readonly query: string;
  readonly openId: string | undefined;
}

export function Entries({ query, openId }: EntriesProps): JSX.Element {
  const { texts, formats, find } = useDesk();
  const [sort, setSort] = useState('-registered_at');
  const [limit, setLimit] = useState(PAGE);
  const asked = new URLSearchParams(query);
  const search = asked.get('q') ?? '';
  const rest = query.replace(/(?:^|&)q=[^&]*/, '').replace(/^&/, '');
  const { answer, problem } = usePolled<Schemas['Entries']>(
    `servers?${query}${query === '' ? '' : '&'}sort=${sort}&limit=${limit}`,
  );
  const within = (q: string, filter: string): string =>
    [q === '' ? '' : `q=${encodeURIComponent(q)}`, filter].filter((each) => each !== '').join('&');
  return (
    <section class="desk-entries">
      <div class="desk-tools">
        <label class="desk-search">
          <span class="visually-hidden">{texts.search}</span>
          <Icon name="search" />
          <input
            class="field"
            type="search"
            id="search"
            value={search}
            placeholder={texts.search}
            maxLength={100}
            onInput={({ currentTarget }) => find(within(currentTarget.value.trim(), rest))}
          />
        </label>
        <div class="in-lines" role="group" aria-label={texts.filters.title}>
          {Object.entries(FILTERS).map(([name, filter]) => (
            <button
              type="button"
              class="button"
              aria-pressed={rest === filter}
              onClick={() => find(within(search, filter))}
              key={name}
            >
              {texts.filters[name as keyof typeof FILTERS]}
            </button>
          ))}
          {!Object.values<string>(FILTERS).includes(rest) && (
            <button type="button" class="button" aria-pressed="true" onClick={() => find(within(search, ''))}>
              <bdi>{decodeURIComponent(rest)}</bdi> <Icon name="close" />
            </button>
          )}
        </div>
        <p class="muted" role="status">
          {answer && texts.counts(formats.number(answer.total), formats.number(answer.count))}
        </p>
      </div>
      <Problem problem={problem} />
      <table class="desk-table">
        <thead>
          <tr>
            {Object.entries(COLUMNS).map(([name, by]) => {
              const isBy = sort === by || sort === `-${by}`;
              const direction = sort.startsWith('-') ? 'descending' : 'ascending';
              return (
                <th scope="col" aria-sort={isBy ? direction : 'none'} class={`is-${name}`} key={name}>
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
      {answer?.cursor !== undefined && limit < MOST && (
        <button type="button" class="button" onClick={() => setLimit(Math.min(MOST, limit + 2 * PAGE))}>
          {texts.more}
        </button>
      )}
    </section>
  );
}

interface EntryRowProps {
  readonly entry: Schemas['Entry'];
  readonly isOpen: boolean;
}

function EntryRow({ entry, isOpen }: EntryRowProps): JSX.Element {
  const { formats, open } = useDesk();
  const { id, name, host, port, players, max_players: places, client, network, reports } = entry;
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
          <bdi>{addressOf(host, port)}</bdi>
          <Labels entry={entry} />
        </span>
      </td>
      <td class="is-players">
        {formats.number(players)} / {formats.number(places)}
      </td>
      <td class="is-client">
        <bdi>{client}</bdi>
        {network !== client && <bdi class="line">{network}</bdi>}
      </td>
      <td class="is-since">
        <time dateTime={entry.registered_at}>{formats.dateTime(Date.parse(entry.registered_at))}</time>
      </td>
      <td class="is-state">
        <State entry={entry} />
      </td>
      <td class="is-reports">{reports && formats.number(reports.count)}</td>
    </tr>
  );
}

/** Whether the list shows the entry, in a word. */
export function State({ entry }: { readonly entry: Schemas['Entry'] }): JSX.Element {
  const { texts } = useDesk();
  const { hidden_by: hiddenBy, not_reached: notReached } = entry;
  if (hiddenBy === undefined) return <>{texts.shown}</>;
  return (
    <b class="is-hidden" title={notReached}>
      {texts.hiddenBy[hiddenBy] ?? hiddenBy}
    </b>
  );
}

export function Labels({
  entry: { labels = [] },
}: {
  readonly entry: Pick<Schemas['Entry'], 'labels'>;
}): JSX.Element {
  return (
    <>
      {labels.map((label) => (
        <bdi class="label" key={label}>
          {label}
        </bdi>
      ))}
    </>
  );
}

/** What went wrong with the last question. */
export function Problem({ problem }: { readonly problem: string | undefined }): JSX.Element | null {
  const { texts } = useDesk();
  if (problem === undefined) return null;
  return (
    <p class="desk-problem" role="alert">
      {problem === '' ? texts.away : `${texts.refused} ${problem}`}
    </p>
  );
}
