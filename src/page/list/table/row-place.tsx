/** Where a server is, as its row has it: its region and its country. */

import type { JSX } from 'preact';
import type { ListedServer } from '../../../model/view/listed-server.ts';
import { CountryMark, RegionMark } from '../../parts/regions.tsx';
import type { Formats } from '../../texts/formats.ts';

export interface PlaceWords {
  readonly regionName: (region: string) => string;
  readonly formats: Formats;
}

/** The parts that are known. */
export function rowPlace(
  { region, country }: ListedServer,
  { regionName, formats }: PlaceWords,
): readonly JSX.Element[] {
  return [
    ...(region === undefined ? [] : [<RegionMark region={region} name={regionName(region)} key="region" />]),
    ...(country === undefined
      ? []
      : [
          <span class="place" key="place">
            <CountryMark country={country} name={formats.country(country)} />
          </span>,
        ]),
  ];
}
