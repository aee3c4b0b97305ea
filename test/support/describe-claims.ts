/** A client of examples/ and its Server-Token: whose its entry is, and what it does when that is in doubt. */

import type { ChildProcess } from 'node:child_process';
import { statSync } from 'node:fs';
import { expect } from 'chai';
import { ask, expectError } from './ask.ts';
import { aBroadcast, type ListedBody } from './builders.ts';
import { useScenes } from './example-scene.ts';
import type { Command } from './game-process.ts';
import { isBroadcast, isPing, Recorder, type Seen } from './recorder.ts';
import type { useSideBySide } from './side-by-side.ts';

interface ClaimingClient {
  readonly command: () => Command;
  /** A path that nothing has yet. */
  readonly newPath: () => string;
  readonly stop: (client: ChildProcess) => void;
  readonly hidesFiles: boolean;
}

const isGoodPing = (each: Seen): boolean => isPing(each) && each.status === 200;
const isGoodBroadcast = (each: Seen): boolean => isBroadcast(each) && each.status === 200;
const idsOf = (entries: readonly ListedBody[]): string[] => entries.map(({ id }) => id);

/** `itBeside` takes the place of `it`. */
export function describeClaims(
  { command, newPath, stop, hidesFiles }: ClaimingClient,
  itBeside: ReturnType<typeof useSideBySide>,
): void {
  const itClaims = useScenes(command, itBeside);

  // The longest first.

  itClaims('waits until another entry leaves its address, or the quota has room', async (scene) => {
    const { serve, play, recorder } = scene;
    // A client that takes some seconds to start still finds the other entry, with two more to live.
    await serve({ GSLS_UNIQUE_ADDRESS: 'true', GSLS_MAX_SERVERS: '1', GSLS_TTL: '10' });
    const other = { server_host: 'eu1.example.com', server_ip: '127.0.0.1' };
    const { headers, body } = await ask(scene.service, 'POST /broadcast', {
      body: aBroadcast(other),
      headers: { 'Server-Token': 'claim' },
    });
    await play();
    const refused = await recorder.next(0, isBroadcast);
    expect(refused).to.include({ code: 'address_taken', token: 'claim' });
    const repeated = await recorder.next(1, () => true);
    expect(repeated.at - refused.at).to.be.at.least(1900);
    await recorder.next(1, ({ code }) => code === 'quota_exceeded');
    await ask(scene.service, 'POST /remove', {
      body: { server_id: body.server_id, server_ip: '127.0.0.1' },
      headers: { 'Server-Token': headers['server-token'] },
    });
    expect(await recorder.next(1, isGoodBroadcast)).to.include({ token: 'claim', key: refused.key });
  });

  itClaims('claims its entry from birth: what the list shows opens nothing', async (scene) => {
    const { serve, play, listed, recorder } = scene;
    await serve({});
    await play();
    const first = await recorder.next(0, isGoodBroadcast);
    expect(first.token).to.equal('claim');
    const [entry] = await listed();
    const { id, ip, host, name, port, players, max_players } = entry!;
    const shown = { server_id: id, server_ip: ip, server_host: host, server_name: name, server_port: port };
    for (const path of ['/ping', '/remove']) {
      const body = { ...shown, players, max_players };
      expectError(await ask(scene.service, `POST ${path}`, { body }), 'not_owner');
    }
    const ping = await recorder.next(recorder.seen.length, isPing);
    expect(ping).to.include({ status: 200, token: first.issued });
    expect(await listed()).to.deep.equal([entry]);
  });

  itClaims(
    'lives where a token is required, and keeps its id when it crashes and starts again',
    async (scene) => {
      const { serve, play, listed, recorder } = scene;
      await serve({ GSLS_REQUIRE_SERVER_TOKEN: 'true' });
      const file = newPath();
      await play({ tokenFile: file });
      const { issued } = await recorder.next(0, isGoodBroadcast);
      await recorder.next(0, isGoodPing);
      const ids = idsOf(await listed());

      const from = recorder.seen.length;
      await play({ tokenFile: file });
      expect(await recorder.next(from, isBroadcast)).to.include({ token: issued, issued });
      await recorder.next(from, isGoodPing);
      expect(idsOf(await listed()))
        .to.deep.equal(ids)
        .and.have.length(1);
      if (hidesFiles) expect(statSync(file).mode & 0o777).to.equal(0o600);

      await scene.game.end(stop);
      expect(recorder.seen.at(-1)).to.include({ path: '/remove', status: 200, token: issued });
      expect(await listed()).to.deep.equal([]);
    },
  );

  itClaims('keeps its id when its address changes', async (scene) => {
    const { serve, play, listed, recorder } = scene;
    await serve({ GSLS_TRUST_PROXY: 'loopback' });
    recorder.client = '203.0.113.7';
    await play();
    const { issued } = await recorder.next(0, isGoodBroadcast);
    await recorder.next(0, isGoodPing);
    const [before_] = await listed();
    expect(before_).to.include({ ip: '203.0.113.7' });

    const from = recorder.seen.length;
    recorder.client = '198.51.100.9';
    expect(await recorder.next(from, isPing)).to.include({ code: 'ip_mismatch' });
    expect(await recorder.next(from, isBroadcast)).to.include({ status: 200, token: issued });
    await recorder.next(from, isGoodPing);
    expect(await listed()).to.deep.equal([{ ...before_, ip: '198.51.100.9' }]);
  });

  itClaims('is listed under a new id after a restart of a service that keeps nothing', async (scene) => {
    const { serve, play, listed, recorder } = scene;
    await serve({});
    await play();
    const { issued } = await recorder.next(0, isGoodBroadcast);
    await recorder.next(0, isGoodPing);

    const from = recorder.seen.length;
    await serve({});
    expect(await recorder.next(from, isPing)).to.include({ code: 'unknown_server' });
    const again = await recorder.next(from, isBroadcast);
    expect(again).to.include({ status: 200, token: issued }).and.not.include({ issued });
    expect(await recorder.next(from, isGoodPing)).to.include({ token: again.issued });
    expect(await listed()).to.have.length(1);
  });

  itClaims('claims a new entry when the service no longer takes its token', async (scene) => {
    const { serve, play, recorder } = scene;
    const file = { GSLS_DATA_FILE: newPath() };
    await serve({ ...file, GSLS_TOKEN_SECRET: 'the first secret' });
    await play();
    await recorder.next(0, isGoodPing);

    const from = recorder.seen.length;
    await serve({ ...file, GSLS_TOKEN_SECRET: 'another secret, without the first' });
    expect(await recorder.next(from, isPing)).to.include({ code: 'not_owner' });
    const again = await recorder.next(from, isBroadcast);
    expect(again).to.include({ status: 200, token: 'claim' });
    expect(await recorder.next(from, isGoodPing)).to.include({ token: again.issued });
  });

  for (const code of ['not_owner', 'server_token_required'])
    itClaims(`broadcasts once on ${code}, and then waits for minutes`, async (scene) => {
      const { serve, play, recorder, refuseNext } = scene;
      await serve({});
      await play();
      await recorder.next(0, isGoodPing);
      const from = recorder.seen.length;
      refuseNext(code);
      await recorder.next(from, isGoodBroadcast);
      refuseNext(code);
      await scene.game.says(new RegExp(`${code}.*again in 300 s`));
      expect(recorder.seen.slice(from).filter(isBroadcast)).to.have.length(1);
    });

  itClaims('sends its token to no other place', async (scene) => {
    const { serve, play, recorder } = scene;
    await serve({});
    const elsewhere = new Recorder(() => scene.service.url);
    try {
      const location = `${await elsewhere.start()}/broadcast`;
      recorder.spoilNext = (response) => response.writeHead(307, { Location: location }).end();
      await play();
      await scene.game.says(/307.*again in 300 s/);
      expect(elsewhere.seen).to.deep.equal([]);
    } finally {
      elsewhere.stop();
    }
  });
}
