/** The headers of the page: what it may load and run, and which sites may frame it. */

import type { AnswerHeaders } from '../../api/http/answer.ts';

/** The name of the Trusted Types policy by which the page makes the address of its worker. */
const TRUSTED_TYPES = 'gsls';

/**
 * `embedOrigins`: the sites that may frame the page beside its own. `beaconUrls`: what the page may ask for, beside the
 * service, to measure how far away it is.
 */
export function createPageHeaders(
  embedOrigins: readonly string[],
  beaconUrls: readonly string[] = [],
): (isEmbedded: boolean) => AnswerHeaders {
  const ancestors = embedOrigins.includes('*') ? '*' : ["'self'", ...embedOrigins].join(' ');
  const beacons = new Set(beaconUrls.map((url) => new URL(url).origin));
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    ["connect-src 'self'", ...beacons].join(' '),
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${ancestors}`,
    "require-trusted-types-for 'script'",
    `trusted-types ${TRUSTED_TYPES}`,
  ].join('; ');
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
    ...(embedOrigins.length === 0 && { 'X-Frame-Options': 'SAMEORIGIN' }),
  };
  const alone = { ...headers, 'Cross-Origin-Opener-Policy': 'same-origin' };
  return (isEmbedded) => (isEmbedded ? headers : alone);
}
