/** --details-schema over HTTP: when it applies, and how its errors come with the others. */

import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import type { Service } from '../../../src/service/service.ts';
import { ask, expectWrongFields, type TestAnswer } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { useDirectory } from '../../support/use-directory.ts';
import { useService } from '../../support/use-service.ts';

const SCHEMA = {
  required: ['map'],
  properties: { map: { type: 'string', maxLength: 10 }, region: { enum: ['eu', 'na'] } },
};

describe('the details of a service with --details-schema', () => {
  const newPath = useDirectory();
  const service = useService(() => {
    const path = newPath();
    writeFileSync(path, JSON.stringify(SCHEMA));
    return { GSLS_DETAILS_SCHEMA: path };
  });
  const broadcast = (fields: object): Promise<TestAnswer> =>
    ask(service, 'POST /broadcast', { body: aBroadcast({ ...fields }) });
  const ping = (id: string, fields: object): Promise<TestAnswer> =>
    ask(service, 'POST /ping', { body: aBroadcast({ server_id: id, ...fields }) });

  it('are needed in a broadcast, also in one that names none', async () => {
    expect((await broadcast({ map: 'de_dust2' })).status).to.equal(200);
    const refused = await broadcast({});
    expectWrongFields(refused, ['map']);
    expect(refused.body.error).to.equal('map is missing');
  });

  it('are needed in a ping that names any, and not in one that names none', async () => {
    const id = await service.broadcast({ map: 'de_dust2' });
    expect((await ping(id, {})).status).to.equal(200);
    expect((await ping(id, { map: 'de_nuke', region: 'eu' })).status).to.equal(200);
    expectWrongFields(await ping(id, { region: 'eu' }), ['map']);
    expectWrongFields(await ping(id, { map: 'de_nuke', region: 'asia' }), ['region']);
    const query = new URLSearchParams(aBroadcast({ server_id: id, region: 'asia' }) as never).toString();
    const byQuery = await ask(service, `GET /ping?${query}`);
    expect(byQuery.body.details).to.have.deep.members([
      { field: 'map', message: 'is missing' },
      { field: 'region', message: 'must be one of eu, na' },
    ]);
  });

  it('are refused in each ping that repeats them, if they were listed before the schema', async () => {
    const path = newPath();
    const start = (environment: Record<string, string>): Promise<Service> =>
      startTestService({ GSLS_DATA_FILE: path, ...environment });
    const before = await start({});
    const fields = aBroadcast({ map: 'de_dust2', region: 'asia' });
    const { body } = await ask(before, 'POST /broadcast', { body: fields });
    const repeated = { ...fields, server_id: body.server_id };
    expect((await ask(before, 'POST /ping', { body: repeated })).status).to.equal(200);
    await before.close();
    const schema = newPath();
    writeFileSync(schema, JSON.stringify(SCHEMA));
    const after = await start({ GSLS_DETAILS_SCHEMA: schema });
    try {
      for (let n = 0; n < 3; n += 1)
        expectWrongFields(await ask(after, 'POST /ping', { body: repeated }), ['region']);
    } finally {
      await after.close();
    }
  });

  it('are named when wrong together with all other wrong fields, each once', async () => {
    const wrong = { server_port: 0, mode: 5, map: 'x'.repeat(11), region: 'asia' };
    expectWrongFields(await broadcast(wrong), ['server_port', 'mode', 'map', 'region']);
    // What breaks the rules of all services is not held against the schema as well.
    const answer = await broadcast({ map: 'x'.repeat(65), region: '' });
    expectWrongFields(answer, ['map', 'region']);
    expect(answer.body.error).to.include('1 to 64 characters').and.not.include('one of eu');
  });
});
