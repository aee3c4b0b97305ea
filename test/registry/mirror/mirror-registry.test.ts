/** The backend of a mirror whose origin nobody reaches: it has nothing, and takes nothing. */

import { expect } from 'chai';
import { MirrorRegistry } from '../../../src/registry/mirror/mirror-registry.ts';
import type { ServiceError } from '../../../src/model/service-error.ts';
import { aGameServer } from '../../support/builders.ts';

const CALLER = { address: '192.0.2.1', proof: 'token' } as const;
const NONE = (): void => undefined;

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: ServiceError) => error.code,
  );
}

describe('the registry of a mirror', () => {
  let mirror: MirrorRegistry;
  beforeEach(async () => {
    mirror = await MirrorRegistry.open({
      origins: [{ name: 'eu', url: 'http://127.0.0.1:1', key: undefined }],
      maxStaleMs: 1000,
      read: () => undefined,
      events: {
        onState: NONE,
        onHeld: NONE,
        onHoldOver: NONE,
        onUnreadable: NONE,
        onKeptUnreadable: NONE,
        onKept: NONE,
      },
    });
  });
  afterEach(() => mirror.close());

  it('has no list before an origin has told one', async () => {
    expect(mirror.hasList).to.equal(false);
    expect(await codeOf(mirror.list())).to.equal('registry_unavailable');
    expect(await codeOf(mirror.glance())).to.equal('registry_unavailable');
    expect(mirror.known('id')).to.equal(undefined);
    expect(mirror.known({ joinCode: 'code' })).to.equal(undefined);
    expect([...(await mirror.entries())]).to.deep.equal([]);
    expect(await mirror.fates.of()).to.deep.equal({ is: 'unknown' });
    expect(await mirror.fates.expiredOf()).to.deep.equal([]);
    expect(mirror.moderation.findBan({} as never)).to.equal(undefined);
  });

  it('takes no write of any kind', async () => {
    const gameServer = aGameServer();
    const writes = [
      mirror.broadcast(),
      mirror.ping(),
      mirror.rebroadcast(),
      mirror.remove(),
      mirror.park(),
      mirror.evict(),
      mirror.moderation.decide((decided) => decided),
      mirror.lease.take('work', 1),
      mirror.reachability.note('id', gameServer, 'answered'),
      mirror.nativeEntries.publish('id', {} as never, CALLER),
      mirror.nativeEntries.withdraw('id', 'link'),
      mirror.reports.add('id', { network: 'a', reason: 'spam', at: 1 }),
      mirror.reports.dismiss('id'),
    ];
    for (const write of writes) expect(await codeOf(write)).to.equal('read_only');
    expect(mirror.nativeEntries.documentOf({} as never)).to.equal(undefined);
  });
});
