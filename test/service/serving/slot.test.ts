/** The place of a registry: what becomes of one that is opened while its configuration changes. */

import { expect } from 'chai';
import type { PlacedRegistry } from '../../../src/service/deployment/placed-registry.ts';
import type { ServedRegistry } from '../../../src/service/serving/served-registry.ts';
import { Slot } from '../../../src/service/serving/slot.ts';

describe('the place of a registry', () => {
  it('closes what it has opened, if another configuration came meanwhile that cannot be used', async () => {
    const [first, second] = [{}, {}] as PlacedRegistry[];
    const closed: unknown[] = [];
    const served = {
      placed: first,
      change: () => Promise.reject(new Error('its port is in use')),
      close: async () => void closed.push(served),
    } as unknown as ServedRegistry;
    let open: (() => void) | undefined;
    const slot = new Slot(first!, {
      open: () => new Promise((resolve) => (open = () => resolve(served))),
      leaveLater: () => undefined,
      away: () => undefined,
    });
    const opened = slot.open().catch((error: unknown) => error);
    await slot.change(second!, true);
    open!();
    expect(await opened).to.have.property('message', 'its port is in use');
    expect(closed).to.deep.equal([served]);
    expect(slot.served).to.equal(undefined);
  });
});
