/**
 * The parsers of option values: text in, value out, or an Error whose message completes "<flag> …". Know nothing
 * of which option they serve.
 */

import type { RedisAddress } from './registry/redis/connect.ts';

/** A parser of the one text that counts. */
export const one =
  <T>(parse: (text: string) => T) =>
  (texts: readonly string[]): T =>
    parse(texts.at(-1)!);

export const integer = (minimum: number, maximum: number, unit = '') =>
  one((text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
    throw new Error(`must be an integer from ${minimum} to ${maximum}${unit && ` (${unit})`}, not "${text}"`);
  });

export const choice = <T extends string>(...choices: readonly T[]) =>
  one((text): T => {
    const chosen = choices.find((each) => each === text);
    if (chosen === undefined) throw new Error(`must be one of ${choices.join(', ')}, not "${text}"`);
    return chosen;
  });

export const yesOrNo = one((text) => {
  if (/^(true|yes|on|1)$/i.test(text)) return true;
  if (/^(false|no|off|0)$/i.test(text)) return false;
  throw new Error(`must be true or false, not "${text}"`);
});

/** Never repeats the key: messages end up in logs. */
export function parseKey(text: string): string {
  if (text.trim() === '') throw new Error('must not be empty');
  if (text !== text.trim() || /\p{Cc}/u.test(text))
    throw new Error('must not begin or end with a space or hold control characters');
  if (text.length > 4096) throw new Error('must not be longer than 4096 characters');
  return text;
}

/** Never repeats the URL: it may hold a password. */
export function parseRedisUrl(text: string): RedisAddress {
  let url: URL;
  let username: string;
  let password: string;
  try {
    url = new URL(text);
    username = decodeURIComponent(url.username);
    password = decodeURIComponent(url.password);
  } catch {
    throw badRedisUrl('is not a URL');
  }
  if (url.protocol !== 'redis:' && url.protocol !== 'rediss:') throw badRedisUrl('is not a Redis URL');
  if (url.hostname === '') throw badRedisUrl('names no host');
  if (!/^\/?\d{0,5}$/.test(url.pathname)) throw badRedisUrl('has a path that is no database number');
  if (url.search !== '' || url.hash !== '') throw badRedisUrl('has more than an address in it');
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? 6379 : Number(url.port),
    database: Number(url.pathname.slice(1)),
    tls: url.protocol === 'rediss:',
    ...(username !== '' && { username }),
    ...(password !== '' && { password }),
  };
}

function badRedisUrl(what: string): Error {
  return new Error(`${what}: it looks like redis://user:password@host:6379/0, or rediss:// for TLS`);
}

export function parseOrigins(text: string): readonly string[] {
  if (text === 'none') return [];
  const origins = text.split(',').map((origin) => origin.trim());
  for (const origin of origins) {
    if (origin !== '*' && !(URL.canParse(origin) && new URL(origin).origin === origin)) {
      throw new Error(`must be *, none, or origins like https://example.com, not "${origin}"`);
    }
  }
  return origins;
}
