/** A row of the table: a game server, or the place of one that is not there yet. As few elements as can be. */

import './server-row.css';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { ListedRow } from '../messages.ts';
import type { Texts } from '../texts/en.ts';
import { COLUMNS, type Column } from './columns.ts';
import { FavouriteButton } from './favourite-button.tsx';
import { Icon } from './icon.tsx';
import { memo } from './memo.tsx';
import { PageLink } from './page-link.tsx';
import { ServerActions } from './server-actions.tsx';

export interface ServerRowOptions {
  readonly row: ListedRow;
  /** Its place in the list, from 0. */
  readonly index: number;
  /** Whether Tab goes to its links and buttons. */
  readonly isActive: boolean;
  readonly texts: Texts;
}

/** More than these do not fit; the details have them all. */
const TAGS_SHOWN = 2;

export const ServerRow = memo(
  ({ row, index, isActive, texts }: ServerRowOptions): JSX.Element => {
    const turn = useTurn(row.version);
    return (
      <tr
        role="row"
        aria-rowindex={index + 2}
        data-index={index}
        class={`row${row.isNew ? ' is-new' : ''}${row.isGone ? ' is-gone' : ''}${isActive ? ' is-active' : ''}`}
        style={{ '--index': index }}
      >
        {COLUMNS.map((column) => (
          <td role="cell" class={`${column.name}${changeClass(column, row, turn)}`} key={column.name}>
            {CELLS[column.name](row, isActive ? 0 : -1, texts)}
          </td>
        ))}
      </tr>
    );
  },
  (one, other) =>
    one.row.server.id === other.row.server.id &&
    one.row.version === other.row.version &&
    one.row.isNew === other.row.isNew &&
    one.row.isGone === other.row.isGone &&
    one.index === other.index &&
    one.isActive === other.isActive &&
    one.texts === other.texts,
);

export function SkeletonRow({ index }: { readonly index: number }): JSX.Element {
  return (
    <tr
      role="row"
      aria-rowindex={index + 2}
      aria-busy="true"
      class="row is-skeleton"
      style={{ '--index': index }}
    >
      <td role="cell" />
    </tr>
  );
}

/** 0 and 1 in turn with each version: an animation begins anew under another name alone. */
function useTurn(version: number): number {
  const last = useRef({ version, turn: 0 });
  if (last.current.version !== version) last.current = { version, turn: 1 - last.current.turn };
  return last.current.turn;
}

function changeClass({ fields }: Column, { changed }: ListedRow, turn: number): string {
  return changed.some((field) => fields.includes(field)) ? ` is-changed-${turn}` : '';
}

type Content = JSX.Element | string;

const CELLS: Record<Column['name'], (row: ListedRow, tabIndex: number, texts: Texts) => Content> = {
  favourite: ({ server }, tabIndex) => <FavouriteButton server={server} tabIndex={tabIndex} />,
  name: ({ server, isGone }, tabIndex, texts) => (
    <PageLink to={{ serverId: server.id }} title={server.name} tabIndex={tabIndex}>
      {isGone && <span class="visually-hidden">{texts.gone} </span>}
      <bdi>{server.name}</bdi>
    </PageLink>
  ),
  players: ({ server }, _, texts) => (
    <Players players={server.players} places={server.max_players} texts={texts} />
  ),
  map: ({ server }) => clipped(server.map),
  mode: ({ server }) => clipped(server.mode),
  region: ({ server }) => clipped(server.region),
  version: ({ server }) => clipped(server.version),
  tags: ({ server }) => tagsOf(server.tags ?? []),
  password: ({ server }, _, texts) => (server.password === true ? <Password texts={texts} /> : ''),
  address: ({ server }, tabIndex) => (
    <span class="place">
      {clipped(`${server.host}:${server.port}`)}
      <ServerActions server={server} tabIndex={tabIndex} isCompact />
    </span>
  ),
};

function Players(options: { players: number; places: number; texts: Texts }): JSX.Element {
  const { players, places, texts } = options;
  const share = places > 0 ? Math.min(1, players / places) : 0;
  return (
    <span
      class={`load${share === 1 ? ' is-full' : ''}${players === 0 ? ' is-empty' : ''}`}
      style={{ '--share': share }}
    >
      {texts.playersOf(players, places)}
      {share === 1 && <b>{texts.full}</b>}
    </span>
  );
}

function Password({ texts }: { readonly texts: Texts }): JSX.Element {
  return (
    <span title={texts.password}>
      <Icon name="lock" />
      <span class="visually-hidden">{texts.password}</span>
    </span>
  );
}

function clipped(text: string | undefined): Content {
  return text === undefined || text === '' ? '' : <bdi title={text}>{text}</bdi>;
}

function tagsOf(tags: readonly string[]): Content {
  if (tags.length === 0) return '';
  const rest = tags.length - TAGS_SHOWN;
  return (
    <span class="chips" title={tags.join(', ')}>
      {tags.slice(0, TAGS_SHOWN).map((tag) => (
        <bdi class="chip" key={tag}>
          {tag}
        </bdi>
      ))}
      {rest > 0 && <span class="chip">+{rest}</span>}
    </span>
  );
}
