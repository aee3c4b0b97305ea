/**
 * The cells of a row that are more than a text. Hundreds of rows are rendered while the page scrolls, so their cells
 * have few and bare elements, with the icons in the style. The table runs the commands of their buttons (data-command).
 */

import './row-cells.css';
import type { JSX } from 'preact';
import { connectAddress } from '../../parts/connect.ts';
import { loadOf } from '../../parts/load.ts';
import { withTag, type FilterParameters } from '../../filters/edit-filters.ts';
import type { ListedRow } from '../../../model/view/listed-row.ts';
import type { PageState } from '../../address/page-url.ts';
import type { Texts } from '../../texts/en.ts';
import { TAGS_SHOWN, type Column } from './columns.ts';

/** The values that all rows share. */
export interface RowSurroundings {
  readonly texts: Texts;
  readonly hrefOf: (change: Partial<PageState>) => string;
  /** The filters that a click on a tag narrows. */
  readonly filters: FilterParameters;
  /** The template of the address that opens the game; null for none. */
  readonly connect: string | null;
  /** The server whose details are shown. */
  readonly openId: string | undefined;
}

export interface CellOptions {
  readonly row: ListedRow;
  readonly isFavourite: boolean;
  /** Whether its address was copied a moment ago. */
  readonly isCopied: boolean;
  readonly surroundings: RowSurroundings;
}

type Content = JSX.Element | string | undefined | readonly (JSX.Element | false)[];

/** The cells by their columns. `tabIndex`: that of their links and buttons. */
export const CELLS: Partial<Record<Column['name'], (options: CellOptions, tabIndex: number) => Content>> = {
  favourite: ({ row: { server }, isFavourite, surroundings: { texts } }, tabIndex) => (
    <button
      type="button"
      class="star"
      data-command="favourite"
      tabIndex={tabIndex}
      aria-pressed={isFavourite}
      aria-label={texts.favouriteOf(server.name)}
    />
  ),
  name: ({ row: { server, isGone }, surroundings: { texts, hrefOf, openId } }, tabIndex) => (
    <a
      href={hrefOf({ serverId: server.id })}
      title={server.name}
      tabIndex={tabIndex}
      aria-current={server.id === openId ? 'true' : undefined}
    >
      {isGone && <span class="visually-hidden">{texts.gone} </span>}
      <bdi>{server.name}</bdi>
    </a>
  ),
  players: ({ row: { server }, surroundings: { texts } }) => {
    const { players, max_players: places } = server;
    const share = loadOf(players, places);
    const told = texts.playersOf(players, places);
    return (
      <span
        title={told}
        class={`load${share === 1 ? ' is-full' : ''}${players === 0 ? ' is-empty' : ''}`}
        style={{ '--share': share }}
      >
        <span>{told}</span>
        {share === 1 && <b>{texts.full}</b>}
      </span>
    );
  },
  tags: ({ row: { server }, surroundings: { filters, hrefOf } }, tabIndex) => {
    const tags = server.tags ?? [];
    if (tags.length === 0) return undefined;
    return (
      <span class="chips" title={tags.join(', ')}>
        {tags.slice(0, TAGS_SHOWN).map((tag) => (
          <a
            class="chip"
            href={hrefOf({ filters: withTag(filters, tag) })}
            data-tag={tag}
            tabIndex={tabIndex}
            key={tag}
          >
            <bdi>{tag}</bdi>
          </a>
        ))}
        {tags.length > TAGS_SHOWN && <span class="chip">+{tags.length - TAGS_SHOWN}</span>}
      </span>
    );
  },
  password: ({ row: { server }, surroundings: { texts } }) =>
    server.password === true ? (
      <span class="lock" role="img" aria-label={texts.flags.password.is} title={texts.flags.password.is} />
    ) : undefined,
  actions: ({ row: { server }, isCopied, surroundings: { texts, connect } }, tabIndex) => {
    const game = connect === null ? undefined : connectAddress(connect, server);
    return [
      <button
        type="button"
        class={isCopied ? 'copy is-done' : 'copy'}
        data-command="copy"
        tabIndex={tabIndex}
        aria-label={texts.copyAddressOf(server.name)}
        title={texts.copyAddress}
        key="copy"
      />,
      game !== undefined && (
        <a
          class="connect"
          href={game}
          tabIndex={tabIndex}
          aria-label={texts.connectTo(server.name)}
          title={texts.connect}
          key="connect"
        >
          {texts.connect}
        </a>
      ),
    ];
  },
};
