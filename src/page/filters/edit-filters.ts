/** Edits of the filters: the effects of a switch, a checkbox or a tag. */

import { decodeText, encodeText, MOST_FILTERS, type FilterParameter } from '../address/page-url.ts';
import { MOST_ALTERNATIVES } from '../../model/query/limits.ts';

export type FilterParameters = readonly FilterParameter[];

/** One value of a filter, as a chip shows it. */
export interface ActiveValue {
  readonly filter: FilterParameter;
  /** The decoded value, with the star of a prefix. */
  readonly text: string;
  /** The filters without this value. */
  readonly others: FilterParameters;
}

/** The value of the first filter of a name, decoded; '' without one. */
export function filterText(filters: FilterParameters, name: string): string {
  return decodeText(filters.find((filter) => filter.name === name)?.rawValue ?? '');
}

export function without(filters: FilterParameters, name: string): FilterParameters {
  return filters.filter((filter) => filter.name !== name);
}

/** The filters with this as the only filter of its name, in the place of the first. `rawValue`: '' for none. */
export function withValue(filters: FilterParameters, name: string, rawValue: string): FilterParameters {
  if (rawValue === '') return without(filters, name);
  const filter = { name, rawValue };
  const at = filters.findIndex((each) => each.name === name);
  return at === -1
    ? withOneMore(filters, filter)
    : [...filters.slice(0, at), filter, ...without(filters.slice(at), name)];
}

/** The decoded texts that a filter names in full. */
export function textsOf(filters: FilterParameters, name: string): readonly string[] {
  return filters.flatMap((filter) =>
    filter.name === name
      ? alternatives(filter)
          .filter((raw) => !raw.endsWith('*'))
          .map(decodeText)
      : [],
  );
}

/** Adds a text to the alternatives of a filter, or removes it. */
export function toggleText(filters: FilterParameters, name: string, text: string): FilterParameters {
  if (textsOf(filters, name).includes(text)) {
    return filters.flatMap((filter) => {
      if (filter.name !== name) return [filter];
      const others = alternatives(filter).filter((raw) => raw.endsWith('*') || decodeText(raw) !== text);
      return others.length === 0 ? [] : [{ name, rawValue: others.join(',') }];
    });
  }
  const at = filters.findIndex((each) => each.name === name);
  const all = at === -1 ? [] : alternatives(filters[at]!);
  if (all.length >= MOST_ALTERNATIVES) return filters;
  const filter = { name, rawValue: [...all, encodeText(text)].join(',') };
  return at === -1 ? withOneMore(filters, filter) : filters.with(at, filter);
}

/** The filters, narrowed to servers that have this tag too. */
export function withTag(filters: FilterParameters, tag: string): FilterParameters {
  const filter = { name: 'tags', rawValue: encodeText(tag) };
  const isThere = filters.some(({ name, rawValue }) => name === 'tags' && decodeText(rawValue) === tag);
  return isThere ? filters : withOneMore(filters, filter);
}

/** Each value of each filter. A search counts as one value. */
export function activeValues(filters: FilterParameters): readonly ActiveValue[] {
  return filters.flatMap((filter, at) => {
    const before = filters.slice(0, at);
    const after = filters.slice(at + 1);
    const values = filter.name === 'q' ? [] : alternatives(filter);
    const raws = values.length === 0 ? [filter.rawValue] : values;
    return raws.map((raw, index) => {
      const rawValue = raws.toSpliced(index, 1).join(',');
      const rest = rawValue === '' ? [] : [{ name: filter.name, rawValue }];
      return { filter, text: decodeText(raw), others: [...before, ...rest, ...after] };
    });
  });
}

/** The range between the texts of two fields. A text that is no number of up to nine digits sets no limit. */
export function rangeText(from: string, to: string): string {
  const [first, last] = [from, to].map((text) => (/^\d{1,9}$/.test(text) ? String(Number(text)) : ''));
  if (first === '' && last === '') return '';
  if (first !== '' && last !== '' && Number(first) > Number(last)) return `${last}..${first}`;
  return first === last ? first! : `${first}..${last}`;
}

/** The texts that the two fields show for a range; both are '' if it is none. */
export function boundsOf(range: string): readonly [from: string, to: string] {
  const [, from, to = from] = /^(\d{0,9})(?:\.\.(\d{0,9}))?$/.exec(range) ?? [];
  return [from ?? '', to ?? ''];
}

function alternatives({ rawValue }: FilterParameter): readonly string[] {
  return rawValue.split(',').filter((raw) => raw !== '');
}

function withOneMore(filters: FilterParameters, filter: FilterParameter): FilterParameters {
  return filters.length < MOST_FILTERS ? [...filters, filter] : filters;
}
