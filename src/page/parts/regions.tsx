/** Regions as people know them: by a name and a colour. Game servers say any text, often a short one such as `eu`. */

import type { JSX } from 'preact';
import { EN, type Texts } from '../texts/en.ts';

/** How many colours the marks of regions have: --mark-0 and so on. */
const MARKS = 8;

const KNOWN = Object.keys(EN.regions);

export interface RegionMarkOptions {
  readonly region: string;
  readonly name: string;
}

/** A region with its mark. */
export function RegionMark({ region, name }: RegionMarkOptions): JSX.Element {
  return <bdi class={`mark mark-${markOf(region)}`}>{name}</bdi>;
}

/** The name of a region: the operator's, else that of the language, else what game servers say. */
export function regionName(region: string, named: Readonly<Record<string, string>>, texts: Texts): string {
  const known: Readonly<Record<string, string>> = texts.regions;
  const lower = region.toLowerCase();
  if (Object.hasOwn(named, region)) return named[region]!;
  return Object.hasOwn(known, lower) ? known[lower]! : region;
}

/** The number of a region's colour: the same region has the same one everywhere. */
function markOf(region: string): number {
  const known = KNOWN.indexOf(region.toLowerCase());
  if (known !== -1) return known % MARKS;
  let hash = 0;
  for (const character of region) hash = (31 * hash + character.codePointAt(0)!) % 65_521;
  return hash % MARKS;
}
