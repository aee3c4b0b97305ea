/**
 * What programs show of a link to the page of a server, such as a chat: its title and a description, as Open Graph has
 * them (https://ogp.me). An address is given only where the operator has set that of the service: a client chooses what
 * `Host` says.
 */

import type { JSX } from 'preact';
import type { ListedServer } from '../../model/view/listed-server.ts';
import { LANGUAGES } from '../texts/languages.ts';
import { regionName } from '../parts/regions.tsx';
import type { PlainView } from './renderer.ts';

export interface PreviewOptions {
  readonly view: PlainView;
  readonly server: ListedServer;
  readonly publicUrl: string | undefined;
}

export function Preview({ view: { settings, language }, server, publicUrl }: PreviewOptions): JSX.Element {
  const texts = LANGUAGES.get(language)!;
  const { id, name, players, max_players: places, map, mode, region } = server;
  const description = [
    texts.playersAloud(players, places),
    map,
    mode,
    region && regionName(region, settings.regions, texts),
  ]
    .filter((text) => text !== undefined && text !== '')
    .join(' · ');
  return (
    <>
      <meta name="description" content={description} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={settings.title} />
      <meta property="og:title" content={name} />
      <meta property="og:description" content={description} />
      {publicUrl !== undefined && (
        <meta property="og:url" content={new URL(`browse/${encodeURIComponent(id)}`, publicUrl).href} />
      )}
    </>
  );
}
