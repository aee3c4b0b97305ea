/** `GET /docs`, as a browser gets it: its policy and its files. How it works in one: test/page/browser/docs.test.ts. */

import { expect } from 'chai';
import { ask, expectError } from '../../support/ask.ts';
import { useService } from '../../support/use-service.ts';

describe('the page that shows the description of the API', () => {
  const service = useService();

  it('may load nothing but its own files, and be in no frame', async () => {
    const { headers, text } = await ask(service, 'GET /docs');
    expect(headers).to.include({
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
    });
    expect(headers['content-security-policy']).to.equal(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(text).to.not.match(/<script>|<style|style=|https?:/);
  });

  it('has files that caches keep, by names that change with them', async () => {
    const { text } = await ask(service, 'GET /docs');
    const files = [...text.matchAll(/"(docs\/[^"]+)"/g)].map(([, file]) => file!);
    expect(files).to.have.length(3);
    for (const file of files) {
      expect(file).to.match(/^docs\/[a-z-]+-[\w-]{12}\.(js|css)$/);
      const { status, headers } = await ask(service, `GET /${file}`);
      expect(status).to.equal(200);
      expect(headers['cache-control']).to.equal('public, max-age=31536000, immutable');
      expect(headers['content-type']).to.match(/^text\/(javascript|css); charset=utf-8$/);
    }
  });

  it('has no other files', async () => {
    for (const path of [
      '/docs/',
      '/docs/swagger-ui.css',
      '/docs/..%2fpackage.json',
      '/docs/__proto__',
      '/docs/a/b',
    ])
      expectError(await ask(service, `GET ${path}`), 'not_found');
  });
});
