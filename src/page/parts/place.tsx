/** The place of a server in its row: its region, its country, and how near it is to the player. */

import './place.css';
import type { JSX } from 'preact';
import type { ListedServer } from '../../model/view/listed-server.ts';
import type { Nearness } from '../near/nearness.ts';
import type { Formats } from '../texts/formats.ts';
import { RegionMark } from './regions.tsx';

export interface PlaceWords {
  readonly regionName: (region: string) => string;
  readonly formats: Formats;
  /** Undefined until the player has measured. */
  readonly nearness: Nearness | undefined;
}

/** Undefined if nothing of it is known. */
export function rowPlace(server: ListedServer, words: PlaceWords): JSX.Element | undefined {
  const { region, country } = server;
  const { regionName, formats, nearness } = words;
  const ms = nearness?.msOf(server);
  if ((region ?? country ?? ms) === undefined) return undefined;
  return (
    <>
      {region !== undefined && <RegionMark region={region} name={regionName(region)} />}
      {country !== undefined && (
        <span
          class="country"
          role="img"
          aria-label={formats.country(country)}
          title={formats.country(country)}
        >
          {/* Some systems have no flags. */}
          {flagOf(country)} {country}
        </span>
      )}{' '}
      {ms !== undefined && <span class="near">≈ {formats.ms(ms)}</span>}
    </>
  );
}

/** A flag consists of the letters of its country in an alphabet of their own, which begins with 🇦. */
function flagOf(country: string): string {
  return country.replaceAll(/[A-Z]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) - 65 + 0x1f1e6));
}
