/**
 * The parsers of option values: a text goes in, a value comes out, or an Error whose message completes "<flag> …". They
 * know nothing of the options they serve.
 */

import { isIP, isIPv6 } from 'node:net';
import { availableParallelism } from 'node:os';
import { parseNetworks, type Networks } from '../../model/net/networks.ts';
import type { HostAndPort } from '../../registry/redis/connection/redis-address.ts';

/** A parser of the last text, the one that counts. */
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

/** The parts of an option that takes a number of these units. */
export const amount = (minimum: number, maximum: number, unit: 'bytes' | 'seconds' | 'milliseconds') => ({
  argument: unit === 'milliseconds' ? '<ms>' : `<${unit}>`,
  parse: integer(minimum, maximum, unit),
});

/** A parser of one of these words, which has them for completions. */
export const choice = <T extends string>(...choices: readonly T[]) =>
  Object.assign(
    one((text): T => {
      const chosen = choices.find((each) => each === text);
      if (chosen === undefined) throw new Error(`must be one of ${choices.join(', ')}, not "${text}"`);
      return chosen;
    }),
    { choices },
  );

const yesOrNo = one((text) => {
  if (/^(true|yes|on|1)$/i.test(text)) return true;
  if (/^(false|no|off|0)$/i.test(text)) return false;
  throw new Error(`must be true or false, not "${text}"`);
});

/** The parts of an option that is a switch, off unless it is given. */
export const SWITCH = { default: false, parse: yesOrNo };

/** The parts of an option that takes any path of a file. */
export const PATH = { argument: '<path>', parse: one(String) };

/** `service`: the Service of Kubernetes that would set the variable of this port to something else. */
export const parsePort = (service: string) => (texts: readonly string[]) => {
  if (texts[0]?.startsWith('tcp://'))
    throw new Error(
      `is set by Kubernetes for a Service named ${service}: set enableServiceLinks: false in the pod`,
    );
  return integer(0, 65_535)(texts);
};

const MOST_WORKERS = 256;

/** Parses a number of workers. `auto` is as many as this process may run at the same time. */
export function parseWorkers(text: string): number {
  if (text === 'auto') return Math.min(availableParallelism(), MOST_WORKERS);
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= MOST_WORKERS) return value;
  throw new Error(`must be auto or an integer from 1 to ${MOST_WORKERS}, not "${text}"`);
}

/** Parses an address or a host name to listen on. */
export function parseHost(text: string): string {
  if (/^[\w.:%-]+$/.test(text)) return text;
  throw new Error(`must be an address or a host name, not "${text}"`);
}

export function parsePath(text: string): string {
  if (text !== '') return text;
  throw new Error('must be a path');
}

export function parseFilePath(text: string): string {
  if (text !== '') return text;
  throw new Error('must be the path of a file');
}

export function parseName(text: string): string {
  if (/^[\w.-]{1,64}$/.test(text)) return text;
  throw new Error(`must be 1 to 64 letters, digits, dots, dashes or underscores, not "${text}"`);
}

/** Parses a key. Its errors never repeat it: messages end up in logs. */
export function parseKey(text: string): string {
  if (text.trim() === '') throw new Error('must not be empty');
  if (text !== text.trim() || /\p{Cc}/u.test(text))
    throw new Error('must not begin or end with a space or hold control characters');
  if (text.length > 4096) throw new Error('must not be longer than 4096 characters');
  return text;
}

/** Parses a secret. Its errors never repeat it. */
export function parseTokenSecret(text: string): string {
  const secret = parseKey(text);
  if (secret.length < 16) throw new Error('must have at least 16 characters');
  return secret;
}

/** A password, unchanged. Its errors never repeat it. */
export function parseSecret(text: string): string {
  if (text === '') throw new Error('must not be empty');
  if (/\p{Cc}/u.test(text)) throw new Error('must not hold control characters');
  return text;
}

export function parseUser(text: string): string {
  if (/^[^\s\p{Cc}]+$/u.test(text)) return text;
  throw new Error('must be the name of a user, without spaces');
}

/** Parses a name that a certificate can have. */
export function parseHostName(text: string): string {
  if (/^[\w-][\w.-]{0,252}$/.test(text) && isIP(text) === 0) return text;
  throw new Error(`must be a host name, not "${text}"`);
}

/** Parses addresses. Its errors never repeat the text: it may be a URL with a password, given to the wrong option. */
export const parseAddresses =
  (defaultPort: number) =>
  (text: string): readonly HostAndPort[] =>
    text.split(',').map((address) => {
      const parts = /^(?:\[(?<ipv6>[\da-f:.]+)\]|(?<name>[\w.-]+))(?::(?<port>\d{1,5}))?$/i.exec(
        address.trim(),
      );
      const { ipv6, name, port = defaultPort } = parts?.groups ?? {};
      const host = ipv6 ?? name;
      if (host === undefined || (ipv6 !== undefined && !isIPv6(ipv6)) || !isPort(Number(port)))
        throw new Error(`must be like host:${defaultPort}, several separated by commas, IPv6 in brackets`);
      return { host, port: Number(port) };
    });

function isPort(value: number): boolean {
  return value >= 1 && value <= 65_535;
}

export function parseHeaderName(text: string): string {
  if (/^[\w!#$%&'*+.^`|~-]{1,64}$/.test(text)) return text;
  throw new Error(`must be the name of a header, not "${text}"`);
}

/**
 * Parses networks that may be probed. One so large that it holds private addresses beside public ones is refused,
 * because the private ones would hardly be meant.
 */
export function parseNetworksToProbe(text: string): Networks {
  const networks = parseNetworks(text);
  const tooLarge = text
    .split(',')
    .find((part) => /^\s*([\d.]+\/0*[0-7]|[\da-f:.]+\/0*[0-2])\s*$/i.test(part));
  if (tooLarge === undefined) return networks;
  throw new Error(`must hold no network larger than /8, or /3 of IPv6, not "${tooLarge.trim()}"`);
}

/** The parts of a Redis URL; a part that the URL leaves out is undefined. */
export interface RedisUrl extends HostAndPort {
  readonly tls: boolean;
  readonly database?: number;
  readonly username?: string;
  readonly password?: string;
}

/** Parses a URL of Redis. Its errors never repeat it: it may hold a password. */
export function parseRedisUrl(text: string): RedisUrl {
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
  if (url.hostname === '') throw badRedisUrl('has no host');
  if (!/^\/?\d{0,5}$/.test(url.pathname)) throw badRedisUrl('has a path that is not a database number');
  if (url.search !== '' || url.hash !== '') throw badRedisUrl('has a query or a fragment');
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? 6379 : Number(url.port),
    tls: url.protocol === 'rediss:',
    ...(url.pathname.length > 1 && { database: Number(url.pathname.slice(1)) }),
    ...(username !== '' && { username }),
    ...(password !== '' && { password }),
  };
}

function badRedisUrl(what: string): Error {
  return new Error(`${what}: write it like redis://user:password@host:6379/0, or rediss:// for TLS`);
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
