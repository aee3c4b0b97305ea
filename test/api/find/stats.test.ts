import { expect } from 'chai';
import { ask, expectError } from '../../support/ask.ts';
import { useService } from '../../support/use-service.ts';

describe('GET /stats', () => {
  const service = useService();

  it('counts the servers that match, and names their commonest values', async () => {
    for (const players of [0, 3, 16]) await service.broadcast({ players, max_players: 16 });
    const facets = ['regions', 'countries', 'modes', 'maps', 'versions'];
    const none = (players: number, servers: number): string =>
      facets
        .map((name) => `"${name}":[],"other_${name}":{"servers":${servers},"players":${players}}`)
        .join(',');
    const all = await ask(service, 'GET /stats');
    expect(all.text).to.equal(
      `{"status":"success","servers":3,"players":19,"max_players":48,"empty":1,"full":1,${none(19, 3)}}`,
    );
    expect((await ask(service, 'GET /stats?empty=false')).text).to.equal(
      `{"status":"success","servers":2,"players":19,"max_players":32,"empty":0,"full":1,${none(19, 2)}}`,
    );
    const known = { headers: { 'If-None-Match': all.headers.etag } };
    expect((await ask(service, 'GET /stats?', known)).status).to.equal(304);
    expect((await ask(service, 'HEAD /stats')).headers.etag).to.equal(all.headers.etag);
  });

  it('takes filters, and no other parameters', async () => {
    const answer = await ask(service, 'GET /stats?limit=5&sort=name&map=a');
    expectError(answer, 'invalid_query');
    expect(answer.body.details!.map(({ field }) => field)).to.deep.equal(['limit', 'sort']);
  });
});
