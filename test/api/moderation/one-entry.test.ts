/** What moderators see of one entry, and what a rule would match. */

import { expect } from 'chai';
import { ask, expectError, type TestAnswer } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { useService } from '../../support/use-service.ts';

const ADMIN = { Authorization: 'Bearer boss' };

interface Neighbours {
  readonly count: number;
  readonly servers: readonly { readonly id: string; readonly shown: boolean }[];
}

interface OneEntry {
  readonly server: Readonly<Record<string, unknown>>;
  readonly said: readonly Readonly<Record<string, unknown>>[];
  readonly neighbours: Readonly<Record<'network' | 'host' | 'name', Neighbours>>;
  readonly audit: readonly Readonly<Record<string, unknown>>[];
}

describe('one entry', () => {
  const service = useService({
    GSLS_ADMIN_KEY: 'boss',
    GSLS_TRUST_PROXY: 'loopback',
    GSLS_ALLOW_UNLISTED: 'true',
  });

  const admin = (call: string, body?: object): Promise<TestAnswer> =>
    ask(service, call, { headers: ADMIN, ...(body && { body }) });
  const from = async (address: string, fields: Record<string, unknown>): Promise<string> => {
    const headers = { 'X-Forwarded-For': address };
    return (await ask(service, 'POST /broadcast', { headers, body: aBroadcast(fields) })).body.server_id!;
  };
  const entry = async (id: string): Promise<OneEntry> =>
    JSON.parse((await admin(`GET /admin/servers/${id}`)).text);

  it('has its neighbours by network, host and name, however these are spelled', async () => {
    const mine = { server_name: 'Casino', server_host: 'casino.example.com', server_port: 1 };
    const id = await from('203.0.113.5', mine);
    const sameNetwork = await from('203.0.113.77', { ...mine, server_name: 'X', server_host: 'x.example' });
    const sameHost = await from('198.51.100.1', {
      ...mine,
      server_name: 'Y',
      server_host: 'CASINO.example.com.',
    });
    const sameName = await from('198.51.101.1', {
      ...mine,
      server_name: 'ＣＡＳＩＮＯ',
      server_host: 'z.example',
    });
    await admin('POST /admin/bans', { id: sameName, reason: 'spam', mode: 'silent', author: 'Ann' });
    const { server, neighbours } = await entry(id);
    expect(server).to.include({ id, client: '203.0.113.5', network: '203.0.113.0/24', shown: true });
    const found = Object.entries(neighbours).map(([kind, { count, servers }]) => [
      kind,
      count,
      servers.map((each) => [each.id, each.shown]),
    ]);
    expect(found).to.deep.equal([
      ['network', 1, [[sameNetwork, true]]],
      ['host', 1, [[sameHost, true]]],
      ['name', 1, [[sameName, false]]],
    ]);
    expect((await entry(sameName)).server).to.include({ shown: false, hidden_by: 'ban' });
    expect((await entry(sameName)).audit.map(({ action, in_force }) => [action, in_force])).to.deep.equal([
      ['ban_added', true],
    ]);
  });

  it('has what it said within the last hour, and until when', async () => {
    const id = await from('192.0.2.5', { server_name: 'First' });
    const ping = (fields: Record<string, unknown>): Promise<TestAnswer> =>
      ask(service, 'POST /ping', {
        headers: { 'X-Forwarded-For': '192.0.2.5' },
        body: { ...aBroadcast(fields), server_id: id },
      });
    await ping({ server_name: 'First', players: 7 });
    await ping({ server_name: 'Second' });
    await ping({ server_name: 'Third', server_port: 9 });
    const { server, said } = await entry(id);
    expect(server).to.include({ name: 'Third', port: 9 });
    expect(said.map(({ name, port }) => [name, port])).to.deep.equal([
      ['First', 7777],
      ['Second', 7777],
    ]);
  });

  it('is one that no list shows, too, and none that is not there', async () => {
    const id = await from('192.0.2.6', { unlisted: true });
    expect((await entry(id)).server).to.include({ hidden_by: 'unlisted', shown: false });
    expectError(await admin('GET /admin/servers/none'), 'unknown_server');
    const { text } = await admin('GET /admin/servers?hidden_by=unlisted');
    expect(JSON.parse(text).servers.map((each: { id: string }) => each.id)).to.deep.equal([id]);
  });

  it('are counted before a rule is made: all, those shown, and those of other networks', async () => {
    const own = await from('10.0.0.1', { server_name: 'Bad one' });
    await from('10.0.0.200', { server_name: 'bad two' });
    await from('10.0.9.1', { server_name: 'Bad three' });
    await admin('POST /admin/bans', { name: 'bad two', reason: 'spam', mode: 'silent' });
    const { text } = await admin('POST /admin/preview', { name: 'bad *', of: own });
    const { servers, ...counts } = JSON.parse(text) as { servers: readonly object[] };
    expect(counts).to.deep.equal({ status: 'success', matches: 3, shown: 2, networks: 2, other_networks: 1 });
    expect(servers).to.have.length(3);
    const alone = JSON.parse((await admin('POST /admin/preview', { address: '10.0.0.0/24' })).text) as object;
    expect(alone).to.include({ matches: 2, networks: 1 }).and.not.have.property('other_networks');
    for (const body of [{}, { of: own }, { nmae: 'x' }, { name: '*' }])
      expectError(await admin('POST /admin/preview', body), 'invalid_request');
  });

  it('are filtered and sorted by what only moderators see', async () => {
    const id = await from('172.16.5.5', { server_name: 'Alone', players: 16 });
    for (const query of [
      'client=172.16.5.5',
      'network=172.16.5.0/24',
      'shown=true&name=Alone',
      'client=172.16.*',
      'claimed=false&name=Alone',
      'ban!=*&q=alone',
    ])
      expect(
        (
          JSON.parse((await admin(`GET /admin/servers?${query}`)).text) as { servers: { id: string }[] }
        ).servers.map((each) => each.id),
        query,
      ).to.deep.equal([id]);
    for (const query of ['shown=maybe', 'reports=many', 'sort=nothing', 'hidden=1'])
      expectError(await admin(`GET /admin/servers?${query}`), 'invalid_query');
    // Readers have none of these.
    expectError(await ask(service, 'GET /servers?client=172.16.5.5'), 'invalid_query');
    expectError(await ask(service, 'GET /servers?sort=network'), 'invalid_query');
  });
});
