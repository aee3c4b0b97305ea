/** Probes over UDP, against servers of every kind of behaviour. */

import { expect } from 'chai';
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import { freePort } from '../../support/free-port.ts';
import { until } from '../../support/until.ts';
import { useProbes } from './use-probes.ts';

const QUERY = 'ffffffff54536f7572636520456e67696e6520517565727900';

for (const [ip, host] of [
  ['127.0.0.1', '127.0.0.1'],
  ['::1', '[::1]'],
] as const)
  describe(`a probe over UDP to ${ip}`, () => {
    const probes = useProbes();

    const bind = async (): Promise<Socket> => {
      const socket = createSocket(ip === '::1' ? 'udp6' : 'udp4');
      socket.on('error', () => undefined);
      socket.bind(0, ip);
      await once(socket, 'listening');
      probes.afterwards(() => socket.close());
      return socket;
    };

    /** Answers each datagram by the function. Returns what came in, as hex. */
    const answer = async (
      onDatagram: (reply: (hex: string) => void, received: readonly string[], from: RemoteInfo) => void,
    ): Promise<{ port: number; received: string[] }> => {
      const socket = await bind();
      const received: string[] = [];
      socket.on('message', (datagram, from) => {
        received.push(datagram.toString('hex'));
        onDatagram((hex) => socket.send(Buffer.from(hex, 'hex'), from.port, from.address), received, from);
      });
      return { port: socket.address().port, received };
    };

    /** Lets the deadline pass when the server has got so many datagrams. */
    const passDeadline = async (received: readonly string[], datagrams: number): Promise<void> => {
      await until(() => received.length >= datagrams);
      await probes.clock.advance(3000);
    };

    it('is answered by a Source server without a challenge, to one query', async () => {
      const { port, received } = await answer((reply) => reply('ffffffff4911476f6f6420736572766572'));
      expect(await probes.start('a2s', port, ip)).to.deep.equal({ outcome: 'answered', words: 'verified' });
      expect(received).to.deep.equal([QUERY]);
    });

    it('is answered by a Source server with a challenge, which the second query holds', async () => {
      const { port, received } = await answer((reply, [, second]) =>
        reply(second === undefined ? 'ffffffff4101020304' : 'ffffffff4911'),
      );
      expect(await probes.outcome('a2s', port, ip)).to.equal('answered');
      expect(received).to.deep.equal([QUERY, `${QUERY}01020304`]);
    });

    it('is answered by the first part of a reply that is split', async () => {
      const { port } = await answer((reply) => reply('feffffff010000000200e004ffffffff49'));
      expect(await probes.outcome('a2s', port, ip)).to.equal('answered');
    });

    it('is answered when the first query was lost', async () => {
      const { port, received } = await answer((reply, all) => {
        if (all.length === 2) reply('ffffffff4911');
      });
      const result = probes.start('a2s', port, ip);
      await until(() => received.length === 1);
      await probes.clock.advance(1000);
      expect((await result).outcome).to.equal('answered');
    });

    it('says that nothing came, after three queries', async () => {
      const { port, received } = await answer(() => undefined);
      const result = probes.start('a2s', port, ip);
      await passDeadline(received, 1);
      expect(await result).to.deep.equal({
        outcome: 'no_answer',
        words: `no answer on UDP ${host}:${port} within 3 s: is the port open?`,
      });
      await until(() => received.length >= 3);
      expect(received).to.deep.equal([QUERY, QUERY, QUERY]);
    });

    it('says that a port is closed, by the ICMP of the machine', async () => {
      const port = await freePort();
      expect(await probes.start('a2s', port, ip)).to.deep.equal({
        outcome: 'refused',
        words: `UDP ${host}:${port} refused the query: is the game server listening?`,
      });
    });

    it('hears no reply from another port', async () => {
      const other = await bind();
      const { port, received } = await answer((_, __, from) =>
        other.send(Buffer.from('ffffffff4911', 'hex'), from.port, from.address),
      );
      const result = probes.start('a2s', port, ip);
      await passDeadline(received, 1);
      expect((await result).outcome).to.equal('no_answer');
    });

    it('says that something else answers, be it rubbish, an echo, or too short', async () => {
      const replies = ['ffffffff6a00', '49', 'ffffffff', '00'.repeat(60_000), QUERY, 'ffffffff410102'];
      for (const hex of replies) {
        const { port, received } = await answer((reply, all) => {
          reply(hex);
          // Behind it a sign that the reply was heard: the probe sends a query after each challenge.
          if (all.length === 1) reply('ffffffff4101020304');
        });
        const result = probes.start('a2s', port, ip);
        await passDeadline(received, 2);
        expect(await result).to.deep.equal({
          outcome: 'other_protocol',
          words: `UDP ${host}:${port} answers, but not to A2S_INFO: is it the query port?`,
        });
      }
    });

    it('is answered by a reply that comes behind rubbish', async () => {
      const { port } = await answer((reply) => {
        for (const hex of ['00', 'ffffffff6a00', 'ffffffff4911']) reply(hex);
      });
      expect(await probes.outcome('a2s', port, ip)).to.equal('answered');
    });

    it('sends four queries at most, however many challenges come, and ends in a flood', async () => {
      const { port, received } = await answer((reply) => {
        for (let datagram = 0; datagram < 20; datagram += 1) reply('ffffffff4101020304');
      });
      expect(await probes.outcome('a2s', port, ip)).to.equal('other_protocol');
      await until(() => received.length >= 4);
      await nextTurnOfTheLoop();
      expect(received).to.have.length(4);
    });
  });
