/** All facts that a server sends about itself: first its description, then its fields, then the rest. */

import type { ComponentChildren, JSX } from 'preact';
import { addressOf } from '../parts/connect.ts';
import type { ListedServer } from '../../model/view/listed-server.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { describeMeta } from './describe-meta.ts';
import { withTag } from '../filters/edit-filters.ts';
import { FLAGS } from '../parts/flags.ts';
import { loadOf } from '../parts/load.ts';
import { MetaSection } from './meta-section.tsx';
import { usePage } from '../parts/page-context.ts';
import { PageLink } from '../parts/page-link.tsx';

export function SaidByServer({ server }: { readonly server: ListedServer }): JSX.Element {
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
    [columns.players, <Load server={server} />],
    [texts.filters.names.game, server.game !== undefined && <bdi>{server.game}</bdi>],
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
    [columns.address, <Address host={server.ip} port={server.port} />],
    [texts.filters.names.host, <Address host={server.host} port={server.port} />],
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

/** The players and places, as in its row. */
function Load({ server }: { readonly server: ListedServer }): JSX.Element {
  const { texts } = usePage();
  const { players, max_players: places } = server;
  const share = loadOf(players, places);
  return (
    <span class="load" style={{ '--share': share }}>
      {texts.playersOf(players, places)}
      {share === 1 && <b>{texts.full}</b>}
    </span>
  );
}

function Addresses({ addresses }: Required<Pick<ListedServer, 'addresses'>>): JSX.Element {
  return (
    <ul class="unmarked">
      {addresses.map(({ ip, port }) => (
        <li key={`${ip} ${port}`}>
          <Address host={ip} port={port} />
        </li>
      ))}
    </ul>
  );
}

/** An address with a button that copies it. */
function Address({ host, port }: { readonly host: string; readonly port: number }): JSX.Element {
  const { texts } = usePage();
  const address = addressOf(host, port);
  return (
    <span class="details-address">
      <bdi>{address}</bdi>
      <CopyButton text={address} label={texts.copyAddressOf(address)} />
    </span>
  );
}

/** A tag. A click narrows the list to the servers that have it. */
function TagLink({ tag }: { readonly tag: string }): JSX.Element {
  const { state } = usePage();
  const filters = withTag(state.filters, tag);
  return (
    <PageLink to={{ filters, serverId: undefined, view: 'list' }} class="chip">
      <bdi>{tag}</bdi>
    </PageLink>
  );
}
