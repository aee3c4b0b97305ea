/**
 * A moderator whom nginx signs in by `auth_request`, with a real OpenID provider behind it: no key is given, and the
 * audit has the name of the provider.
 */

import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Provider } from 'oidc-provider';
import type { Service } from '../../../src/service/service.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { freePort } from '../../support/free-port.ts';
import { listen } from '../../support/listen.ts';
import { needs } from '../../support/needs.ts';
import { startNginx } from '../../support/nginx.ts';
import { endProcesses } from '../../support/processes.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { until } from '../../support/until.ts';
import { useDirectory } from '../../support/use-directory.ts';
import { useBrowser } from '../support/browser.ts';

const CLIENT = { client_id: 'desk', client_secret: 'a secret of the desk' };
const HEADER = 'X-Auth-Request-User';

/** Before the operations port, as docs/moderate.md says: who is not signed in is led to the provider. */
function configurationOf(ports: Readonly<Record<'front' | 'ops' | 'sessions', number>>): string {
  return `server {
    listen 127.0.0.1:${ports.front};
    location / {
      auth_request /oauth2/auth;
      auth_request_set $user $upstream_http_x_auth_request_user;
      error_page 401 = /oauth2/start;
      proxy_set_header ${HEADER} $user;
      proxy_set_header Host $http_host;
      proxy_pass http://127.0.0.1:${ports.ops};
    }
    location = /oauth2/auth {
      internal;
      proxy_pass_request_body off;
      proxy_set_header Content-Length "";
      proxy_pass http://127.0.0.1:${ports.sessions};
    }
    location /oauth2/ { proxy_pass http://127.0.0.1:${ports.sessions}; }
  }`;
}

/** What oauth2-proxy does: leads to the provider, takes what it says back, and knows the session by a cookie. */
function sessionsFor(provider: string, front: string): RequestListener {
  const users = new Map<string, string>();
  const redirect_uri = `${front}/oauth2/callback`;
  const signIn = async (code: string): Promise<string> => {
    const answer = await fetch(`${provider}/token`, {
      method: 'POST',
      headers: {
        Authorization: `Basic ${Buffer.from(`${CLIENT.client_id}:${encodeURIComponent(CLIENT.client_secret)}`).toString('base64')}`,
      },
      body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri }),
    });
    const { id_token } = (await answer.json()) as { readonly id_token: string };
    const claims = JSON.parse(Buffer.from(id_token.split('.')[1]!, 'base64url').toString()) as {
      sub: string;
    };
    const session = randomBytes(16).toString('hex');
    users.set(session, claims.sub);
    return session;
  };
  return (request, response) => {
    const url = new URL(request.url!, front);
    if (url.pathname === '/oauth2/auth') {
      const user = users.get(/\bdesk=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? '');
      response.writeHead(user === undefined ? 401 : 202, user === undefined ? {} : { [HEADER]: user }).end();
    } else if (url.pathname === '/oauth2/callback') {
      void signIn(url.searchParams.get('code')!).then((session) =>
        // Without SameSite a form of another site brings it along, in its first two minutes.
        response.writeHead(302, { 'Set-Cookie': `desk=${session}; Path=/`, Location: '/desk' }).end(),
      );
    } else {
      const query = new URLSearchParams({
        ...CLIENT,
        client_secret: '',
        response_type: 'code',
        scope: 'openid',
        redirect_uri,
      });
      query.delete('client_secret');
      response.writeHead(302, { Location: `${provider}/auth?${query.toString()}` }).end();
    }
  };
}

needs('chromium', 'nginx').describe('a moderator whom a proxy signs in', () => {
  const browser = useBrowser();
  const newPath = useDirectory();
  const servers: Server[] = [];
  let service: Service;
  let front: string;
  /** The page of another site; the front is at 127.0.0.1. */
  let elsewhere: string;

  async function serve(handler: RequestListener): Promise<number> {
    const server = createServer(handler);
    servers.push(server);
    await listen(server, '127.0.0.1', 0);
    return (server.address() as AddressInfo).port;
  }

  const { info, warn } = console;
  before(async () => {
    // The provider advises against each thing of it that is for development only.
    Object.assign(console, { info: () => undefined, warn: () => undefined });
    service = await startTestService({
      GSLS_OPS_PORT: '0',
      GSLS_MODERATOR_HEADER: HEADER,
      GSLS_MODERATOR_PROXIES: 'loopback',
    });
    await ask(service, 'POST /broadcast', { body: aBroadcast({ server_name: 'Oslo' }) });
    const [frontPort, providerPort] = [await freePort(), await freePort()];
    front = `http://127.0.0.1:${frontPort}`;
    const issuer = `http://127.0.0.1:${providerPort}`;
    const provider = new Provider(issuer, {
      clients: [{ ...CLIENT, redirect_uris: [`${front}/oauth2/callback`] }],
      cookies: { keys: ['a key'] },
      pkce: { required: () => false },
    });
    const ofProvider = createServer(provider.callback());
    servers.push(ofProvider);
    await listen(ofProvider, '127.0.0.1', providerPort);
    const sessions = await serve(sessionsFor(issuer, front));
    const form = `<form method="post" action="${front}/admin/bans" enctype="text/plain">
      <input name='{"name":"Oslo","reason":"' value='"}'><button>Win</button></form>`;
    const page = await serve((_, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(form),
    );
    elsewhere = `http://evil.localhost:${page}`;
    startNginx(
      newPath(),
      configurationOf({ front: frontPort, ops: Number(new URL(service.opsUrl!).port), sessions }),
    );
    await until(
      async () =>
        (await fetch(`${front}/oauth2/start`, { redirect: 'manual' }).catch(() => undefined))?.status === 302,
    );
  });
  after(async () => {
    Object.assign(console, { info, warn });
    await endProcesses();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    await service.close();
  });

  const audit = async (): Promise<readonly { author: string; action: string }[]> => {
    const { text } = await ask({ url: service.opsUrl! }, 'GET /admin/audit', {
      headers: { [HEADER]: 'the test' },
    });
    return (JSON.parse(text) as { audit: readonly { author: string; action: string }[] }).audit;
  };

  it('decides under the name of the provider, and no form of another site does', async () => {
    browser.expectComplaints(/fonts\.googleapis|favicon|403/);
    const page = await browser.open(`${front}/desk`);
    await page.locator('input[name=login]').fill('ann@example.com');
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
    await page.locator('button[type=submit]').click();
    await page.waitForURL(`${front}/desk**`);
    await page.getByText('Oslo').first().waitFor();
    expect(await page.locator('input[type=password]').count()).to.equal(0);
    await page.getByText('ann@example.com').first().waitFor();
    const status = await page.evaluate(async () => {
      const body = JSON.stringify({ name: 'nobody', reason: 'spam', author: 'somebody else' });
      return (
        await fetch('admin/bans', { method: 'POST', body, headers: { 'Content-Type': 'application/json' } })
      ).status;
    });
    expect(status).to.equal(201);
    expect(await audit()).to.have.length(1);
    expect((await audit())[0]).to.include({ author: 'ann@example.com', action: 'ban_added' });

    await page.goto(elsewhere);
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url() === `${front}/admin/bans`),
      page.getByRole('button', { name: 'Win' }).click(),
    ]);
    expect(answer.request().headers()['content-type']).to.equal('text/plain');
    expect((await answer.request().allHeaders())['cookie']).to.match(/\bdesk=/);
    expect([answer.status(), ((await answer.json()) as { code: string }).code]).to.deep.equal([
      403,
      'cross_site',
    ]);
    expect(await audit()).to.have.length(1);
  });
});
