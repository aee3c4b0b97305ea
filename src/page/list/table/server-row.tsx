/**
 * A row of the table, which is rendered again only when it has changed, and then shows what has changed. Hundreds of
 * rows are rendered while the page scrolls, so they have few and bare elements. The table runs the commands of their
 * buttons (data-command).
 */

import './server-row.css';
import './row-changes.css';
import { Component, type JSX } from 'preact';
import { addressOf } from '../../../model/address-of.ts';
import type { ListedRow } from '../../../model/view/listed-row.ts';
import type { ListedServer } from '../../../model/view/listed-server.ts';
import type { PageState } from '../../address/page-url.ts';
import { connectAddress } from '../../parts/connect.ts';
import { Icon } from '../../parts/icon.tsx';
import { labelMarks } from '../../parts/label-marks.tsx';
import { Load } from '../../parts/load.tsx';
import { rowPlace, type PlaceWords } from '../../parts/place.tsx';
import type { Texts } from '../../texts/en.ts';
import { hitOf, type RowPart } from './row-parts.ts';

/** The values that all rows share. */
export interface RowSurroundings extends PlaceWords {
  readonly texts: Texts;
  readonly hrefOf: (change: Partial<PageState>) => string;
  readonly parts: ReadonlySet<RowPart>;
  /** The words that are searched for. */
  readonly words: readonly string[];
  /** The template of the address that opens the game; null for none. */
  readonly connect: string | null;
  /** The server whose details are shown. */
  readonly openId: string | undefined;
}

export interface ServerRowOptions {
  readonly row: ListedRow;
  /** The place of the row in the list, from 0. */
  readonly index: number;
  /** Whether Tab goes to its links and buttons. */
  readonly isActive: boolean;
  /** Whether it is rendered with its name and its players alone, since it may soon be out of view. */
  readonly isLight: boolean;
  readonly isFavourite: boolean;
  /** Whether its address was copied a moment ago. */
  readonly isCopied: boolean;
  readonly surroundings: RowSurroundings;
}

/** The options on which the rendering of a row depends, beside its server. */
const SHOWN = ['index', 'isActive', 'isLight', 'isFavourite', 'isCopied', 'surroundings'] as const;

/** How many tags a row has at most; the details have them all. */
const MOST_TAGS = 4;

/** The component of one server, whose id is its key. */
export class ServerRow extends Component<ServerRowOptions> {
  /**
   * 0 and 1 alternate with each shown version, since an animation restarts only under another name. Changes before the
   * first rendering are no news to the reader.
   */
  #turn: 0 | 1 | undefined;

  override shouldComponentUpdate(next: ServerRowOptions): boolean {
    const isOther = next.row.version !== this.props.row.version;
    if (isOther) this.#turn = this.#turn === 0 ? 1 : 0;
    return isOther || SHOWN.some((name) => next[name] !== this.props[name]);
  }

  override render(): JSX.Element {
    const { row, index, isActive, isLight, isFavourite, surroundings } = this.props;
    const { server } = row;
    const { texts, parts, regionName } = surroundings;
    const isOpen = server.id === surroundings.openId;
    const has = (part: RowPart): boolean => !isLight && parts.has(part);
    return (
      <tr
        role="row"
        aria-rowindex={index + 2}
        data-index={index}
        class={`row${row.isNew ? ' is-new' : ''}${row.isGone ? ' is-gone' : ''}${isActive ? ' is-active' : ''}${isOpen ? ' is-open' : ''}`}
        style={{ '--index': index }}
      >
        {has('favourite') && (
          <td role="cell" class="favourite">
            <button
              type="button"
              class="star"
              data-command="favourite"
              tabIndex={isActive ? 0 : -1}
              aria-pressed={isFavourite}
              aria-label={texts.favouriteOf(server.name)}
            >
              <Icon name="star" />
            </button>
          </td>
        )}
        <td role="cell" class={`name${this.#changeOf('name')}`}>
          {this.#name()}
          {!isLight && this.#line()}
        </td>
        {has('region') && (
          <td
            role="cell"
            class={`region${this.#changeOf('region', 'country', 'latency')}`}
            title={server.region && regionName(server.region)}
          >
            {rowPlace(server, surroundings)}
          </td>
        )}
        {has('version') && (
          <td role="cell" class={`version${this.#changeOf('version')}`} title={server.version}>
            {server.version}
          </td>
        )}
        {parts.has('players') && (
          <td role="cell" class={`players${this.#changeOf('players', 'max_players')}`}>
            <Load server={server} texts={texts} />
          </td>
        )}
        {parts.has('actions') && (
          <td role="cell" class="actions">
            {isLight || row.isGone ? this.#roomForActions() : this.#actions()}
          </td>
        )}
      </tr>
    );
  }

  #name(): JSX.Element {
    const { row, isActive, isLight, surroundings } = this.props;
    const { server } = row;
    const { texts, hrefOf, parts } = surroundings;
    return (
      <a
        href={hrefOf({ serverId: server.id })}
        title={server.name}
        tabIndex={isActive ? 0 : -1}
        aria-current={server.id === surroundings.openId ? 'true' : undefined}
      >
        {row.isGone && <span class="visually-hidden">{texts.gone} </span>}
        <bdi>{server.name}</bdi>
        {!isLight && server.password === true && parts.has('password') && (
          <>
            {' '}
            <span
              class="lock"
              role="img"
              aria-label={texts.flags.password.is}
              title={texts.flags.password.is}
            >
              <Icon name="lock" />
            </span>
          </>
        )}
      </a>
    );
  }

  /** What is played there, in a quiet line below the name, and where a search has found its words. */
  #line(): JSX.Element {
    const { row, surroundings } = this.props;
    const { server } = row;
    const { parts, words } = surroundings;
    const { map, mode, tags = [], labels } = server;
    const hit = hitOf(server, words);
    const address = addressOf(server.ip, server.port);
    const place = rowPlace(server, surroundings);
    return (
      <span
        class={`line${this.#changeOf('map', 'mode', 'tags')}`}
        title={[map, mode, ...tags].filter((text) => text !== undefined).join(' · ')}
      >
        {labelMarks(labels)}
        {/* On a card the region is here. */}
        {parts.has('region') && place !== undefined && <span class="line-region">{place}</span>}
        {hit !== undefined && <bdi class={`hit is-${hit.field}`}>{hit.text}</bdi>}
        {parts.has('address') && hit?.field !== 'address' && <bdi class="address">{address}</bdi>}
        {map !== undefined && parts.has('map') && <bdi class="map">{map}</bdi>}
        {mode !== undefined && parts.has('mode') && <bdi class="mode">{mode}</bdi>}
        {parts.has('tags') &&
          tags.slice(0, MOST_TAGS).map((tag) => (
            <bdi class="tag" key={tag}>
              {tag}
            </bdi>
          ))}
      </span>
    );
  }

  #roomForActions(): JSX.Element | false {
    const { texts, connect } = this.props.surroundings;
    return (
      connect !== null && (
        <span class="connect" aria-hidden="true">
          {texts.connect}
        </span>
      )
    );
  }

  #actions(): readonly (JSX.Element | false)[] {
    const { row, isActive, isCopied, surroundings } = this.props;
    const { server } = row;
    const { texts, connect } = surroundings;
    const game = connect === null ? undefined : connectAddress(connect, server);
    const tabIndex = isActive ? 0 : -1;
    return [
      <button
        type="button"
        class={isCopied ? 'copy is-done' : 'copy'}
        data-command="copy"
        tabIndex={tabIndex}
        aria-label={texts.copyAddressOf(server.name)}
        title={texts.copyAddress}
        key="copy"
      >
        <Icon name={isCopied ? 'check' : 'copy'} />
      </button>,
      game !== undefined && (
        <a
          class="connect"
          href={game}
          tabIndex={tabIndex}
          aria-label={texts.connectTo(server.name)}
          key="connect"
        >
          {texts.connect}
        </a>
      ),
    ];
  }

  /** The class of a cell in which one of these fields has changed a moment ago. */
  #changeOf(...fields: readonly (keyof ListedServer)[]): string {
    if (this.#turn === undefined) return '';
    return this.props.row.changed.some((field) => fields.includes(field)) ? ` is-changed-${this.#turn}` : '';
  }
}
