/** deploy/haproxy.cfg with a DNS server: how replicas are found, lost and found again. All else is as with a list. */

import { expect } from 'chai';
import { startFollowers, stopUndisturbed } from '../../support/behind-balancer.ts';
import { describeAnyWay } from '../../support/describe-haproxy.ts';
import { needs } from '../../support/needs.ts';
import { AUTHORIZATION, HOSTS, useHaproxy } from '../../support/use-haproxy.ts';
import { useLoad } from '../../support/use-load.ts';
import { until } from '../../support/until.ts';

const [FIRST, SECOND, THIRD, NEW] = HOSTS as [string, string, string, string];

needs('Linux', 'haproxy', 'redis-server').describe('haproxy.cfg with a DNS server', function () {
  this.timeout(120_000);
  const haproxy = useHaproxy('with a DNS server');
  const load = useLoad('haproxy', () => ({ front: haproxy.front, headers: AUTHORIZATION }));

  it('starts while DNS names no replica, and finds those that it names later', async () => {
    await until(async () => {
      const answer = await haproxy.ask('GET /').catch(() => undefined);
      return answer?.status === 503;
    }, haproxy.process);
    await Promise.all([FIRST, SECOND, THIRD].map(haproxy.add));
  });

  it('leaves a replica that DNS names no longer, and finds it again, without an error', async () => {
    await load.start();
    const left = haproxy.says(/Server replicas\S+ is going DOWN for maintenance/);
    haproxy.announce({ without: FIRST });
    await left;
    // Those that were under way.
    await load.untilAnswered(50);
    const logged = haproxy.log(FIRST).length;
    await load.untilAnswered(100);
    expect(haproxy.log(FIRST).slice(logged)).to.deep.equal([]);
    haproxy.announce();
    await haproxy.untilReached(FIRST);
    await load.stopWithNothingWrong();
  });

  it('finds a replica that has stopped and started again, and one that is new, without an error, also for streams', async () => {
    const followers = startFollowers(haproxy.front, AUTHORIZATION);
    await load.start();
    await haproxy.stop(FIRST);
    await haproxy.add(FIRST);
    await haproxy.add(NEW);
    await haproxy.stop(SECOND);
    await load.untilAnswered(100);
    await load.stopWithNothingWrong();
    const count = (await haproxy.ask('GET /')).body.servers!.length;
    await until(() => followers.every(({ servers }) => servers.size === count), haproxy.process);
    await stopUndisturbed(followers);
  });

  describeAnyWay(haproxy);
});
