/** The description of the beacons. */

import { json } from '../docs/openapi/answer-schemas.ts';
import type { Operation } from '../docs/openapi/operation.ts';
import { success } from '../docs/openapi/success.ts';

export const beacons: Operation = {
  tag: 'Lists',
  id: 'beacons',
  summary: 'The beacons, whose distance game servers and readers measure',
  description:
    'Game servers tell what they measured as `latency`, readers as `near` in a query: neither sends a packet to the other.',
  parameters: [],
  answers: success(
    'The beacons.',
    json('Beacons', 'Two beacons', {
      status: 'success',
      beacons: [
        { id: 'fra', url: 'https://fra.example.com/', place: 'Frankfurt', latency: { nyc: 82 } },
        { id: 'nyc', url: 'https://nyc.example.com/', place: 'New York', latency: {} },
      ],
    }),
    { headers: ['Cache-Control'] },
  ),
  errors: ['invalid_query'],
};
