/** All facts that a server sends about itself: first its description, then its fields, then the rest. */

import type { ComponentChildren, JSX } from 'preact';
import { addressOf } from '../../model/address-of.ts';
import type { ListedServer } from '../../model/view/listed-server.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { describeMeta } from './describe-meta.ts';
import { valueInWords } from '../filters/describe-filter.ts';
import { withTag, withValue } from '../filters/edit-filters.ts';
import { FLAGS } from '../parts/flags.ts';
import { labelMarks } from '../parts/label-marks.tsx';
import { Load } from '../parts/load.tsx';
import { MetaSection } from './meta-section.tsx';
import { useNear } from '../near/use-near.ts';
import { usePage } from '../parts/page-context.ts';
import { encodeText } from '../address/page-url.ts';
import { RegionMark } from '../parts/regions.tsx';
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
  const { columns, details, flags, near } = texts;
  const { nearness } = useNear();
  const ms = nearness?.msOf(server);
  const { tags = [], addresses = [], latency = {}, labels } = server;
  const fields: readonly (readonly [label: string, content: ComponentChildren])[] = [
    [columns.players, <Load server={server} texts={texts} />],
    [near.ping, ms !== undefined && `≈ ${formats.ms(ms)}`],
    [details.playersSeen, server.players_seen ?? false],
    [columns.labels, labelMarks(labels) ?? false],
    [texts.filters.names.game, server.game !== undefined && <bdi>{server.game}</bdi>],
    [
      texts.filters.names.origin,
      server.origin !== undefined && <bdi>{[server.origin, ...(server.also_at ?? [])].join(', ')}</bdi>,
    ],
    ...(['map', 'mode', 'region', 'country', 'version'] as const).map(
      (name) =>
        [
          columns[name],
          server[name] !== undefined && (
            <>
              <FilterLink name={name} value={server[name]} />
              {name === 'country' && server.country_found === true && details.byAddress}
            </>
          ),
        ] as const,
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
    [
      near.ofServer,
      Object.entries(latency)
        .map(([id, length]) => `${nearness?.placeOf(id) ?? id} ${formats.ms(length)}`)
        .join(', ') || false,
    ],
    [
      details.since,
      <time dateTime={server.registered_at}>{formats.dateTime(Date.parse(server.registered_at))}</time>,
    ],
    [texts.filters.names.id, <bdi class="server-id">{server.id}</bdi>],
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

interface FilterLinkOptions {
  readonly name: 'map' | 'mode' | 'region' | 'country' | 'version';
  readonly value: string;
}

/** A value of a field. A click narrows the list to the servers that have it. */
function FilterLink({ name, value }: FilterLinkOptions): JSX.Element {
  const page = usePage();
  const filters = withValue(page.state.filters, name, encodeText(value));
  return (
    <PageLink to={{ filters, serverId: undefined, view: 'list' }} class="filter-link">
      {name === 'region' ? (
        <RegionMark region={value} name={page.regionName(value)} />
      ) : (
        <bdi>{valueInWords(page, name, value)}</bdi>
      )}
    </PageLink>
  );
}

/** A tag. A click narrows the list to the servers that have it. */
function TagLink({ tag }: { readonly tag: string }): JSX.Element {
  const { state } = usePage();
  const filters = withTag(state.filters, tag);
  return (
    <PageLink to={{ filters, serverId: undefined, view: 'list' }} class="tag">
      <bdi>{tag}</bdi>
    </PageLink>
  );
}
