/** The table of the options for the protocols of other games. */

import { amount, one } from './option-parsers.ts';
import { optionsIn } from './option.ts';

/** Those that are spoken at the public port. */
export const HTTP_PROTOCOLS = ['ddnet', 'luanti'] as const;

const option = optionsIn('Protocols');

export const PROTOCOL_OPTIONS = {
  protocols: option<readonly (typeof HTTP_PROTOCOLS)[number][]>({
    argument: '<names>',
    description: `the master server protocols of other games to speak at the public port, each under its name: ${HTTP_PROTOCOLS.join(', ')}`,
    default: [],
    parse: one((text) => {
      const names = text.split(',').map((name) => name.trim());
      return [...new Set(names)].map((name) => {
        const known = HTTP_PROTOCOLS.find((each) => each === name);
        if (known === undefined)
          throw new Error(
            `must be some of ${HTTP_PROTOCOLS.join(', ')} with commas between them, not "${text}"`,
          );
        return known;
      });
    }),
  }),
  maxProtocolBytesPerAddress: option({
    ...amount(32_768, 1_099_511_627_776, 'bytes'),
    description:
      'how much the game servers of one client address may say of themselves by other protocols, in all; IPv6 counts by its /64 network',
    default: 1_048_576,
  }),
} as const;
