/** The place of a server in its row: its region, its country, and how near it is to the player. */

import './row-place.css';
import type { JSX } from 'preact';
import type { ListedServer } from '../../../model/view/listed-server.ts';
import type { Nearness } from '../../near/nearness.ts';
import { CountryMark, RegionMark } from '../../parts/regions.tsx';
import type { Formats } from '../../texts/formats.ts';

export interface PlaceWords {
  readonly regionName: (region: string) => string;
  readonly formats: Formats;
  /** Undefined until the player has measured. */
  readonly nearness: Nearness | undefined;
}

/** The parts that are known. */
export function rowPlace(
  server: ListedServer,
  { regionName, formats, nearness }: PlaceWords,
): readonly JSX.Element[] {
  const { region, country } = server;
  const ms = nearness?.msOf(server);
  return [
    ...(region === undefined ? [] : [<RegionMark region={region} name={regionName(region)} key="region" />]),
    ...(country === undefined && ms === undefined
      ? []
      : [
          <span class="place" key="place">
            {country !== undefined && <CountryMark country={country} name={formats.country(country)} />}
            {ms !== undefined && <span class="near">≈ {formats.ms(ms)}</span>}
          </span>,
        ]),
  ];
}
