/** The order of the rows by how near servers are to the player. */

import { expect } from 'chai';
import type { ListedServer } from '../../../src/model/view/listed-server.ts';
import { FollowedList } from '../../../src/model/view/followed-list.ts';
import { parseViewOrder } from '../../../src/page/worker/order.ts';
import { aServer } from './support/page-servers.ts';

const NEAR = {
  at: 1,
  beacons: [
    { id: 'fra', url: 'https://fra.example.com/', latency: { nyc: 82 } },
    { id: 'nyc', url: 'https://nyc.example.com/', latency: {} },
  ],
  latency: { fra: 10, nyc: 90 },
};
const SERVERS = [
  aServer('impossible', { players: 9, latency: { fra: 1, nyc: 1 } }),
  aServer('silent', { players: 7 }),
  aServer('full', { players: 16, latency: { fra: 20, nyc: 95 } }),
  aServer('far', { players: 5, latency: { fra: 95, nyc: 20 } }),
  aServer('near', { players: 3, latency: { fra: 5, nyc: 85 } }),
  aServer('as near', { players: 4, latency: { fra: 5 } }),
];

function sorted(servers: readonly ListedServer[], ...order: Parameters<typeof parseViewOrder>): string {
  const list = new FollowedList();
  list.apply({ servers, removed: [], full: true }, 0);
  const { compare } = parseViewOrder(...order);
  return [...list.entries()]
    .toSorted(compare)
    .map(({ server }) => server.id)
    .join(', ');
}

describe('the nearest servers', () => {
  it('come first, equally near ones and those without an estimate in the order of the page', () => {
    expect(sorted(SERVERS, 'near', [], NEAR)).to.equal('as near, near, full, far, impossible, silent');
  });

  it('come first among the regions that come first', () => {
    const servers = SERVERS.map((server) => (server.id === 'far' ? { ...server, region: 'na' } : server));
    expect(sorted(servers, 'near', ['na'], NEAR)).to.match(/^far, as near, near, /);
  });

  it('are not known before the player has measured', () => {
    expect(sorted(SERVERS, 'near', [])).to.equal(sorted(SERVERS, '', []));
    expect(parseViewOrder('near', []).isWrong).to.equal(false);
  });

  it('come last in the other direction, still before those without an estimate', () => {
    expect(sorted(SERVERS, '-near,name', [], NEAR)).to.equal('far, full, as near, near, impossible, silent');
  });
});
