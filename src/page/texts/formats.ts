/**
 * Numbers and times as a reader's language writes them. The one place of the page that asks `Intl`; knows nothing of
 * what they are of. Times are ms since the epoch, and shown in the time zone of the reader.
 */

export interface Formats {
  /** `12,345` */
  readonly number: (value: number) => string;
  /** `12K`, where there is little room. */
  readonly shortNumber: (value: number) => string;
  /** `14:03` */
  readonly time: (at: number) => string;
  /** `14:03:20` */
  readonly exactTime: (at: number) => string;
  /** `22 Nov` */
  readonly day: (at: number) => string;
  /** `Nov 2026` */
  readonly month: (at: number) => string;
  /** `22 Nov 2026, 14:03` */
  readonly dateTime: (at: number) => string;
  /** From one time to another, without saying the day twice: `22 Nov, 14:03 – 14:07`. */
  readonly period: (from: number, to: number) => string;
  /** The same to the second. */
  readonly exactPeriod: (from: number, to: number) => string;
  /** `12 seconds ago`, `3 minutes ago`: in the largest unit that fits. */
  readonly ago: (at: number, now: number) => string;
}

/** Seconds of each unit, the largest first. */
const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** `locale`: a tag such as `de` or `en-GB`. */
export function createFormats(locale: string): Formats {
  const dates = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(locale, options);
  const clock = { hour: '2-digit', minute: '2-digit' } as const;
  const date = { day: 'numeric', month: 'short' } as const;
  const number = new Intl.NumberFormat(locale);
  const shortNumber = new Intl.NumberFormat(locale, { notation: 'compact' });
  const [time, exactTime] = [dates(clock), dates({ ...clock, second: '2-digit' })];
  const [day, month] = [dates(date), dates({ month: 'short', year: 'numeric' })];
  const dateTime = dates({ ...date, year: 'numeric', ...clock });
  const [period, exactPeriod] = [
    dates({ ...date, ...clock }),
    dates({ ...date, ...clock, second: '2-digit' }),
  ];
  const relative = new Intl.RelativeTimeFormat(locale);
  return {
    number: (value) => number.format(value),
    shortNumber: (value) => shortNumber.format(value),
    time: (at) => time.format(at),
    exactTime: (at) => exactTime.format(at),
    day: (at) => day.format(at),
    month: (at) => month.format(at),
    dateTime: (at) => dateTime.format(at),
    period: (from, to) => period.formatRange(from, to),
    exactPeriod: (from, to) => exactPeriod.formatRange(from, to),
    ago(at, now) {
      const seconds = Math.max(0, Math.round((now - at) / 1000));
      const [unit, size] = UNITS.find((each) => seconds >= each[1]) ?? (['second', 1] as const);
      return relative.format(-Math.floor(seconds / size), unit);
    },
  };
}

/** The tag of the reader's own kind of a language, `en-GB` for `en`; the language itself where there is none. */
export function localeOf(language: string, wanted: readonly string[]): string {
  return wanted.find((tag) => tag.toLowerCase().split('-')[0] === language) ?? language;
}
