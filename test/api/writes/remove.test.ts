import { expect } from 'chai';
import { ask, expectError } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { useService } from '../../support/use-service.ts';

describe('POST /remove', () => {
  const service = useService();
  const remove = (id: string, ip = '203.0.113.7') =>
    ask(service, 'POST /remove', { body: { server_id: id, server_ip: ip } });

  it('takes the game server off the list at once', async () => {
    const id = await service.broadcast();
    const other = await service.broadcast();
    const { status, headers, text } = await remove(id);
    expect([status, text]).to.deep.equal([200, '{"status":"success"}']);
    expect(headers['cache-control']).to.equal('no-store');
    expect(await service.listed(id)).to.equal(undefined);
    expect(await service.listed(other)).to.include({ id: other });
  });

  it('removes for good: a later ping gets 404', async () => {
    const id = await service.broadcast();
    await remove(id);
    const ping = aBroadcast({ server_id: id });
    expectError(await ask(service, 'POST /ping', { body: ping }), 'unknown_server');
    expectError(await remove(id), 'unknown_server');
  });

  it('answers 404 unknown_server for an unknown id', async () => {
    expectError(await remove('unknown'), 'unknown_server');
  });

  it('answers 403 ip_mismatch for another IP, and leaves the game server listed', async () => {
    const id = await service.broadcast();
    expectError(await remove(id, '198.51.100.1'), 'ip_mismatch');
    expect(await service.listed(id)).to.include({ id });
  });

  it('ignores the query string', async () => {
    const id = await service.broadcast();
    expectError(await ask(service, `POST /remove?server_id=${id}&server_ip=203.0.113.7`), 'invalid_request');
    expect(await service.listed(id)).to.include({ id });
  });
});
