import { expect } from 'chai';
import { ask } from '../../support/ask.ts';
import { useService } from '../../support/use-service.ts';

describe('GET /servers/{id}/badge.svg', () => {
  const service = useService({ GSLS_ALLOW_UNLISTED: 'true' });

  it('is a picture of the name and of how full it is, which may run nothing', async () => {
    const id = await service.broadcast({ server_name: 'Oslo', players: 3, max_players: 16 });
    const { status, headers, text } = await ask(service, `GET /servers/${id}/badge.svg`);
    expect(status).to.equal(200);
    expect(headers['content-type']).to.equal('image/svg+xml');
    expect(headers['content-security-policy']).to.match(/^default-src 'none'.*sandbox$/);
    expect(text).to.match(/^<svg .*<title>Oslo: 3 \/ 16<\/title>.*>Oslo<\/text>.*>3 \/ 16<\/text>.*<\/svg>$/);
  });

  it('has hostile names as text, and long ones shortened', async () => {
    const hostile = `</text><script>alert("1")</script>&'`;
    const id = await service.broadcast({ server_name: hostile, server_port: 7001 });
    const { text } = await ask(service, `GET /servers/${id}/badge.svg`);
    expect(text.match(/<(?!\/)[a-zA-Z]+/g)).to.have.members([
      '<svg',
      '<title',
      '<clipPath',
      '<rect',
      '<g',
      '<rect',
      '<rect',
      '<g',
      '<text',
      '<text',
    ]);
    expect(text).to.include('&lt;/text&gt;&lt;script&gt;');
    const long = await service.broadcast({ server_name: 'é'.repeat(60), server_port: 7002 });
    expect((await ask(service, `GET /servers/${long}/badge.svg`)).text).to.include(
      `>${'é'.repeat(39)}…</text>`,
    );
  });

  it('is as unknown as its entry where clients may not know of it', async () => {
    const unlisted = await service.broadcast({ unlisted: true, server_port: 7003 });
    const unknown = await ask(service, 'GET /servers/AAAAAAAAAAAAAAAAAAAAAA');
    for (const id of [unlisted, 'AAAAAAAAAAAAAAAAAAAAAA']) {
      const { status, text } = await ask(service, `GET /servers/${id}/badge.svg`);
      expect([status, text]).to.deep.equal([404, unknown.text]);
    }
    expect((await ask(service, `GET /servers/${unlisted}/badge.svg?x=1`)).status).to.equal(400);
  });
});
