/**
 * A crowd that reports: 10,000 reports from 200 addresses in 50 networks, against 100 game servers, at two replicas on
 * one Redis; and a few honest readers among them.
 */

import { Agent } from 'node:http';
import { expect } from 'chai';
import type { Service } from '../../../../src/service/service.ts';
import { ask } from '../../../support/ask.ts';
import { aBroadcast } from '../../../support/builders.ts';
import { needs } from '../../../support/needs.ts';
import { until } from '../../../support/until.ts';
import { useRedis } from '../../../support/redis-server.ts';
import { useServices } from '../../../support/use-services.ts';

const ADMIN = { Authorization: 'Bearer boss' };
const REPORTS = 10_000;
const AT_ONCE = 40;
/** Each reports one game server, once. */
const HONEST = Array.from({ length: 20 }, (_, n) => `198.51.${n}.7`);

interface Reported {
  readonly reasons: { readonly spam?: number; readonly cheating?: number };
}

needs('redis-server').describe('a crowd that reports', function () {
  this.timeout(120_000);
  const redis = useRedis();
  const services = useServices(() => ({
    GSLS_REDIS: redis.url,
    GSLS_ADMIN_KEY: 'boss',
    GSLS_REPORT_REASONS: 'spam,cheating',
    GSLS_TRUST_PROXY: 'loopback',
  }));
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  after(() => agent.destroy());

  /** Lets the crowd and the honest ones report. Returns how many answers to the crowd had which status. */
  async function flood(
    replicas: readonly Service[],
    ids: readonly string[],
  ): Promise<Record<number, number>> {
    const statuses: Record<number, number> = {};
    let sent = 0;
    const report = async (n: number, from: string, id: string, reason: string): Promise<number> => {
      const headers = { 'X-Forwarded-For': from };
      const answer = await ask(replicas[n % replicas.length]!, 'POST /report', {
        body: { id, reason },
        headers,
        agent,
      });
      return answer.status;
    };
    const crowd = async (): Promise<void> => {
      for (let n = sent++; n < REPORTS; n = sent++) {
        const address = n % 200;
        const status = await report(
          n,
          `10.0.${address % 50}.${address}`,
          ids[Math.floor(n / 200) % 100]!,
          'spam',
        );
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (n % (REPORTS / HONEST.length) === 0) {
          const at = n / (REPORTS / HONEST.length);
          expect(await report(at, HONEST[at]!, ids[at % 5]!, 'cheating')).to.equal(200);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, crowd));
    return statuses;
  }

  for (const [limits, environment] of [
    ['with the limits that there are by default', {}],
    ['whom no limit of rates holds back', { GSLS_RATE_LIMIT: 'report=100000/m' }],
  ] as const)
    it(`hides nothing, takes a bounded place and costs no honest report its voice, ${limits}`, async () => {
      await redis.client.flushall();
      const replicas = [await services.start(environment), await services.start(environment)];
      const ids: string[] = [];
      for (let n = 0; n < 100; n += 1)
        ids.push((await ask(replicas[0]!, 'POST /broadcast', { body: aBroadcast(), agent })).body.server_id!);
      const statuses = await flood(replicas, ids);
      const isLimited = limits.startsWith('with');
      expect(statuses[429] ?? 0).to.be.within(isLimited ? 1 : 0, isLimited ? REPORTS : 0);
      expect((statuses[200] ?? 0) + (statuses[429] ?? 0)).to.equal(REPORTS);
      for (const replica of replicas) {
        expect((await ask(replica, 'GET /', { agent })).body.count).to.equal(100);
        let reports: readonly Reported[] = [];
        const sumOf = (reason: keyof Reported['reasons']): number =>
          reports.reduce((sum, { reasons }) => sum + (reasons[reason] ?? 0), 0);
        // A replica looks every two seconds for what others have noted.
        await until(async () => {
          const { text } = await ask(replica, 'GET /admin/reports', { headers: ADMIN, agent });
          ({ reports } = JSON.parse(text) as { reports: readonly Reported[] });
          return sumOf('cheating') === HONEST.length;
        });
        // Each network has one voice about each game server.
        expect(sumOf('spam')).to.be.at.most(50 * 100);
        for (const { reasons } of reports) expect(reasons.spam ?? 0).to.be.at.most(50);
      }
      expect(await redis.client.memory('USAGE', '{gsls}:reports', 'SAMPLES', 0)).to.be.below(1_048_576);
    });
});
