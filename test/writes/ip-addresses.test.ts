/** IP addresses: the canonical spelling in the list, and which spellings mean the same address. */

import { expect } from 'chai';
import { ask, expectWrongFields } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { useService } from '../support/use-service.ts';

const CANONICAL = {
  '203.0.113.7': '203.0.113.7',
  '::ffff:1.2.3.4': '1.2.3.4',
  '::FFFF:102:304': '1.2.3.4',
  '0:0:0:0:0:ffff:1.2.3.4': '1.2.3.4',
  '2001:DB8:0:0:0:0:0:1': '2001:db8::1',
  '2001:0db8::0001': '2001:db8::1',
  '2001:db8:0:0:1:0:0:1': '2001:db8::1:0:0:1',
  '::': '::',
  '::1': '::1',
};

const REFUSED = [
  '',
  'localhost',
  'game.example.com',
  '1.2.3',
  '1.2.3.4.5',
  '01.2.3.4',
  '1.2.3.256',
  '0x7f.0.0.1',
  '16909060',
  '1.2.3.4:80',
  '1.2.3.4/24',
  ' 1.2.3.4',
  '1.2.3.4\n',
  '[::1]',
  'fe80::1%eth0',
  '::1%lo',
  '::ffff:1.2.3.4%1',
  '1::2::3',
  ':::',
  '2001:db8::12345',
  '1'.repeat(65),
];

describe('an IP address', () => {
  const service = useService();

  for (const [sent, canonical] of Object.entries(CANONICAL)) {
    it(`sent as ${sent} is listed as ${canonical}`, async () => {
      const id = await service.broadcast({ server_ip: sent });
      expect(await service.listed(id)).to.have.property('ip', canonical);
    });
  }

  it('may be spelt in another way in pings and removes', async () => {
    const id = await service.broadcast({ server_ip: '2001:db8::1' });
    for (const ip of ['2001:DB8::1', '2001:0db8:0:0:0:0:0:1']) {
      const ping = aBroadcast({ server_id: id, server_ip: ip });
      expect(await ask(service, 'POST /ping', { body: ping })).to.include({ status: 200 });
    }
    const mapped = await service.broadcast({ server_ip: '::ffff:1.2.3.4' });
    const remove = { server_id: mapped, server_ip: '1.2.3.4' };
    expect(await ask(service, 'POST /remove', { body: remove })).to.include({ status: 200 });
  });

  for (const ip of REFUSED) {
    it(`of ${JSON.stringify(ip)} gets 400 in every request`, async () => {
      const fields = aBroadcast({ server_id: 'x', server_ip: ip });
      for (const path of ['/broadcast', '/ping', '/remove'])
        expectWrongFields(await ask(service, `POST ${path}`, { body: fields }), ['server_ip']);
    });
  }
});
