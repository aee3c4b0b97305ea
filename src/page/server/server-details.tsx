/** One server with all that it says of itself, over the list. The rest of the page waits for it to be closed. */

import './server-details.css';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { addressOf, connectAddress } from '../parts/connect.ts';
import type { ListedServer } from '../connection/messages.ts';
import { CopyButton } from './copy-button.tsx';
import { FavouriteButton } from '../favourites/favourite-button.tsx';
import { withTag } from '../filters/edit-filters.ts';
import { FLAGS } from '../parts/flags.ts';
import { Icon } from '../parts/icon.tsx';
import { describeMeta } from './describe-meta.ts';
import { MetaSection } from './meta-section.tsx';
import { usePage } from '../parts/page-context.ts';
import { PageLink } from '../parts/page-link.tsx';
import { useServer } from './use-server.ts';

export function ServerDetails(): JSX.Element | null {
  const { state } = usePage();
  return state.serverId === undefined ? null : <Details id={state.serverId} />;
}

const TITLE_ID = 'server-title';

function Details({ id }: { readonly id: string }): JSX.Element {
  const { settings, texts, navigate } = usePage();
  const { server, is } = useServer(id);
  const dialog = useRef<HTMLDialogElement>(null);

  // The browser moves the focus in, and back when the dialog is closed, which has to happen before it is taken away.
  useLayoutEffect(() => {
    const element = dialog.current!;
    element.showModal();
    return () => element.close();
  }, []);
  const title = server?.name ?? texts.details.title;
  useEffect(() => {
    const before = document.title;
    document.title = `${title} – ${settings.title}`;
    return () => {
      document.title = before;
    };
  }, [title, settings.title]);

  return (
    <dialog
      ref={dialog}
      class="details"
      aria-labelledby={TITLE_ID}
      onClose={({ currentTarget }) => {
        // Not when the address has closed it already.
        if (currentTarget.isConnected) navigate({ serverId: undefined });
      }}
      onClick={({ target }) => {
        if (target === dialog.current) dialog.current?.close();
      }}
    >
      <div class="details-content">
        <div class="details-head">
          <h2 id={TITLE_ID} tabIndex={-1} autoFocus>
            <bdi>{title}</bdi>
          </h2>
          {server !== undefined && <FavouriteButton server={server} />}
          <button
            type="button"
            class="icon-button"
            aria-label={texts.close}
            onClick={() => dialog.current?.close()}
          >
            <Icon name="close" />
          </button>
        </div>
        <p class="details-state" role="status">
          {is === 'listed' ? '' : texts.details.state[is]}
        </p>
        {is === 'not listed' && (
          <button type="button" class="button is-main" onClick={() => dialog.current?.close()}>
            {texts.details.back}
          </button>
        )}
        {server !== undefined && is !== 'not listed' && <ServerActions server={server} />}
        {server !== undefined && <Said server={server} />}
      </div>
    </dialog>
  );
}

/** What can be done with it: copy its address, and open the game there. */
function ServerActions({ server }: { readonly server: ListedServer }): JSX.Element {
  const { settings, texts } = usePage();
  const connect = settings.connect === null ? undefined : connectAddress(settings.connect, server);
  return (
    <span class="server-actions">
      <CopyButton address={addressOf(server.ip, server.port)} label={texts.copyAddressOf(server.name)} />
      {connect !== undefined && (
        <a class="button is-main" href={connect} aria-label={texts.connectTo(server.name)}>
          {texts.connect}
        </a>
      )}
    </span>
  );
}

/** All that it says of itself: first what it is, then its fields, then the rest. */
function Said({ server }: { readonly server: ListedServer }): JSX.Element {
  const { texts, language } = usePage();
  const meta = describeMeta(server.meta ?? {}, { texts, language });
  return (
    <>
      {meta.description !== undefined && (
        <p class="details-description">
          <bdi>{meta.description}</bdi>
        </p>
      )}
      <Fields server={server} />
      <MetaSection {...meta} />
    </>
  );
}

function Fields({ server }: { readonly server: ListedServer }): JSX.Element {
  const { texts, formats } = usePage();
  const { columns, details, flags } = texts;
  const { tags = [], addresses = [] } = server;
  const fields: readonly (readonly [label: string, content: ComponentChildren])[] = [
    [columns.players, texts.playersOf(server.players, server.max_players)],
    ...(['map', 'mode', 'region', 'version'] as const).map(
      (name) => [columns[name], server[name] !== undefined && <bdi>{server[name]}</bdi>] as const,
    ),
    ...FLAGS.map(
      (name) =>
        [
          flags[name].name,
          server[name] !== undefined && (server[name] ? flags[name].yes : flags[name].no),
        ] as const,
    ),
    [
      columns.tags,
      tags.length > 0 && (
        <span class="details-tags">
          {tags.map((tag) => (
            <TagLink tag={tag} key={tag} />
          ))}
        </span>
      ),
    ],
    [columns.address, <bdi>{addressOf(server.ip, server.port)}</bdi>],
    [texts.filters.names.host, <bdi>{addressOf(server.host, server.port)}</bdi>],
    [details.otherAddresses, addresses.length > 0 && <Addresses addresses={addresses} />],
    [details.since, formats.dateTime(Date.parse(server.registered_at))],
    [texts.filters.names.id, <bdi>{server.id}</bdi>],
  ];
  return (
    <dl class="fields">
      {fields.map(
        ([label, content]) =>
          content !== false && (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{content}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function Addresses({ addresses }: Required<Pick<ListedServer, 'addresses'>>): JSX.Element {
  const { texts } = usePage();
  return (
    <ul>
      {addresses.map(({ ip, port }) => {
        const address = addressOf(ip, port);
        return (
          <li key={address}>
            <bdi>{address}</bdi>
            <CopyButton address={address} label={texts.copyAddressOf(address)} isCompact />
          </li>
        );
      })}
    </ul>
  );
}

/** A click narrows the list to the servers that have the tag. */
function TagLink({ tag }: { readonly tag: string }): JSX.Element {
  const { state } = usePage();
  const filters = withTag(state.filters, tag);
  return (
    <PageLink to={{ filters, serverId: undefined, view: 'list' }} class="chip">
      <bdi>{tag}</bdi>
    </PageLink>
  );
}
