/** What all queries share: names and addresses, the time limit, and how a read is ended. */

import { expect } from 'chai';
import { getEventListeners } from 'node:events';
import { createQuery, type QueryOptions } from '../../../../src/tools/announce/sources/query.ts';
import { freePort } from '../../../support/free-port.ts';
import { needs } from '../../../support/needs.ts';
import { until } from '../../../support/until.ts';
import { A2S } from './recordings.ts';
import { sourceClock, usePeers } from './use-peers.ts';

describe('a query', () => {
  const peers = usePeers();
  const forEver = new AbortController().signal;

  const create = (host: string, port: number, options: Partial<QueryOptions> = {}) =>
    createQuery('a2s', { host, port }, { timeoutMs: 3000, clock: sourceClock(peers.clock), ...options });

  it('is silent when nothing comes in time, after three questions', async () => {
    const { port, received } = await peers.udp(() => []);
    const reading = peers.ask('a2s', port);
    await until(() => received.length === 1);
    await peers.clock.advance(3000);
    expect(await reading).to.deep.equal({
      is: 'silent',
      why: `no answer on UDP 127.0.0.1:${port} within 3 s: does the game server run there?`,
    });
    await until(() => received.length === 3);
    expect(peers.clock.timers).to.equal(0);
  });

  it('is refused by a port that is closed', async () => {
    const port = await freePort();
    expect(await peers.ask('a2s', port)).to.deep.equal({
      is: 'refused',
      why: `UDP 127.0.0.1:${port} refused the query: is the game server listening?`,
    });
    expect(peers.clock.timers).to.equal(0);
  });

  it('hears nothing from another port', async () => {
    const { port, received } = await peers.udp(() => []);
    const other = await peers.udp(() => []);
    const reading = peers.ask('a2s', port);
    await until(() => received.length === 1);
    expect(other.received).to.deep.equal([]);
    await peers.clock.advance(3000);
    expect((await reading).is).to.equal('silent');
  });

  needs('IPv6').it('asks over IPv6, and writes its address with brackets', async () => {
    const { port } = await peers.udp(() => [A2S.valheim], '::1');
    expect((await peers.ask('a2s', port, { host: '::1' })).is).to.equal('told');
    const closed = await freePort();
    expect(await peers.ask('a2s', closed, { host: '::1' })).to.deep.equal({
      is: 'refused',
      why: `UDP [::1]:${closed} refused the query: is the game server listening?`,
    });
  });

  it('looks a name up at each read', async () => {
    const { port } = await peers.udp(() => [A2S.valheim]);
    const names: string[] = [];
    const source = create('game.example.org', port, {
      lookup: async (name) => {
        names.push(name);
        return ['127.0.0.1'];
      },
    });
    expect((await source.read(forEver)).is).to.equal('told');
    expect((await source.read(forEver)).is).to.equal('told');
    expect(names).to.deep.equal(['game.example.org', 'game.example.org']);
  });

  needs('IPv6').it(
    'tries the addresses of a name in turn, the next time first the one that answered',
    async () => {
      const { port, received } = await peers.udp(() => [A2S.valheim]);
      const silent = await peers.udp(() => [], '::1', port);
      const source = create('game.example.org', port, { lookup: async () => ['::1', '127.0.0.1'] });
      const reading = source.read(forEver);
      await until(() => silent.received.length === 1);
      // Half of the time is for each.
      await peers.clock.advance(1500);
      expect((await reading).is).to.equal('told');
      const asked = silent.received.length;
      expect((await source.read(forEver)).is).to.equal('told');
      expect(received).to.have.length(2);
      expect(silent.received).to.have.length(asked);
    },
  );

  it('says that a name is not known, or cannot be looked up', async () => {
    for (const [code, why] of [
      ['ENOTFOUND', 'no address is known for game.example.org'],
      ['EAI_AGAIN', 'the name game.example.org cannot be looked up now'],
    ]) {
      const lookup = async (): Promise<never> => {
        throw Object.assign(new Error('no'), { code });
      };
      expect(await create('game.example.org', 1, { lookup }).read(forEver)).to.deep.equal({
        is: 'silent',
        why,
      });
    }
  });

  it('does not wait for a look-up that takes too long', async () => {
    const source = create('game.example.org', 1, { lookup: () => new Promise(() => undefined) });
    const reading = source.read(forEver);
    await peers.clock.advance(3000);
    expect(await reading).to.deep.equal({
      is: 'silent',
      why: 'the look-up of the name game.example.org took too long',
    });
  });

  it('ends when it is stopped, and reads nothing once it is closed', async () => {
    const { port, received } = await peers.udp(() => []);
    const stop = new AbortController();
    const source = create('127.0.0.1', port);
    const stopped = source.read(stop.signal);
    stop.abort();
    const silence = { is: 'silent', why: 'it is not asked any more' };
    expect(await stopped).to.deep.equal(silence);
    const reading = source.read(forEver);
    await until(() => received.length > 0);
    source.close();
    expect(await reading).to.deep.equal(silence);
    expect(await source.read(forEver)).to.deep.equal(silence);
    expect(peers.clock.timers).to.equal(0);
  });

  it('shares its signal with any number of others, without a warning', async () => {
    const { port } = await peers.udp(() => [A2S.valheim]);
    const signal = new AbortController().signal;
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    await Promise.all(Array.from({ length: 20 }, () => create('127.0.0.1', port).read(signal)));
    await new Promise(setImmediate);
    process.off('warning', note);
    expect(warnings).to.deep.equal([]);
  });

  it('leaves nothing behind on a signal that lasts', async () => {
    const { port } = await peers.udp(() => [A2S.valheim]);
    const source = create('127.0.0.1', port);
    const signal = new AbortController().signal;
    for (let read = 0; read < 5; read += 1) await source.read(signal);
    expect(getEventListeners(signal, 'abort')).to.deep.equal([]);
  });
});
