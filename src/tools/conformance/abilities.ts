/** The abilities that a client may claim. A scene is played for the clients that have all that it needs. */
export const ABILITIES = [
  'announce',
  'list',
  'find',
  'watch',
  'stream',
  'gzip',
  'key',
  'token_file',
  'tls',
  'insecure',
  'ipv6',
  'sigterm',
  'urls',
  'keep',
  'report',
  'latency',
  'nearest',
] as const;
export type Ability = (typeof ABILITIES)[number];
