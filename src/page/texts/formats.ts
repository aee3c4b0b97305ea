/**
 * Numbers and times as a language writes them. Only this file of the page uses `Intl`. Times are ms since the epoch,
 * and shown in the time zone of the reader.
 */

export interface Formats {
  /** `12,345` */
  readonly number: (value: number) => string;
  /** `99.8%`, of a share from 0 to 1. */
  readonly percent: (share: number) => string;
  /** `12K`, for places with little room. */
  readonly shortNumber: (value: number) => string;
  /** `14:03` */
  readonly time: (at: number) => string;
  /** `22 Nov` */
  readonly day: (at: number) => string;
  /** `22 Nov 2026` */
  readonly date: (at: number) => string;
  /** `Nov 2026` */
  readonly month: (at: number) => string;
  /** `22 Nov 2026, 14:03` */
  readonly dateTime: (at: number) => string;
  /** `12 seconds`, `3 minutes`, `2 hours`. `lengthMs`: a value below 0 counts as 0. */
  readonly duration: (lengthMs: number) => string;
  /** `40 ms`, of a length in ms. */
  readonly ms: (length: number) => string;
  /** `Germany`, of the two letters of a country; any other text stays as it is. */
  readonly country: (text: string) => string;
}

const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;
const LONG_UNIT = { style: 'unit', unitDisplay: 'long' } as const;
const DAY = { day: 'numeric', month: 'short' } as const;

/** `locale`: a tag such as `de` or `en-GB`. Objects of `Intl` are made when they are first used. */
export function createFormats(locale: string): Formats {
  const numbers = (options?: Intl.NumberFormatOptions): ((value: number) => string) => {
    const format = lazily(() => new Intl.NumberFormat(locale, options));
    return (value) => format().format(value);
  };
  const times = (options: Intl.DateTimeFormatOptions): ((at: number) => string) => {
    const format = lazily(() => new Intl.DateTimeFormat(locale, options));
    return (at) => format().format(at);
  };
  const units = {
    second: numbers({ ...LONG_UNIT, unit: 'second' }),
    minute: numbers({ ...LONG_UNIT, unit: 'minute' }),
    hour: numbers({ ...LONG_UNIT, unit: 'hour' }),
  };
  const names = lazily(() => new Intl.DisplayNames(locale, { type: 'region' }));
  return {
    number: numbers(),
    percent: numbers({ style: 'percent', maximumFractionDigits: 1 }),
    shortNumber: numbers({ notation: 'compact' }),
    time: times(CLOCK),
    day: times(DAY),
    date: times({ ...DAY, year: 'numeric' }),
    month: times({ month: 'short', year: 'numeric' }),
    dateTime: times({ ...DAY, year: 'numeric', ...CLOCK }),
    duration(lengthMs) {
      const { count, unit } = inUnit(lengthMs);
      return units[unit](count);
    },
    ms: numbers({ style: 'unit', unit: 'millisecond', maximumFractionDigits: 0 }),
    country: (text) => (/^[A-Z]{2}$/.test(text) ? names().of(text)! : text),
  };
}

/** The length in a unit of which there are not too many. */
function inUnit(lengthMs: number): { readonly count: number; readonly unit: 'second' | 'minute' | 'hour' } {
  const seconds = Math.max(0, Math.round(lengthMs / 1000));
  if (seconds < 100) return { count: seconds, unit: 'second' };
  if (seconds < 6000) return { count: Math.round(seconds / 60), unit: 'minute' };
  return { count: Math.round(seconds / 3600), unit: 'hour' };
}

/** The reader's own variant of a language, such as `en-GB` for `en`; the language itself if there is none. */
export function localeOf(language: string, wanted: readonly string[]): string {
  return wanted.find((tag) => tag.toLowerCase().split('-')[0] === language) ?? language;
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
