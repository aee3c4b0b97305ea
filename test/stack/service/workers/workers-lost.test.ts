/** Workers that die, stand still or are replaced: what clients notice of it. */

import { expect } from 'chai';
import { ask } from '../../../support/ask.ts';
import { needs } from '../../../support/needs.ts';
import { until } from '../../../support/until.ts';
import { useLoad } from '../../../support/use-load.ts';
import { useWorkers, type ServiceWithWorkers } from './use-workers.ts';

needs('Linux', 'redis-server').describe('the workers of a service', function () {
  this.timeout(180_000);
  const workers = useWorkers({ isCovered: false });
  let service: ServiceWithWorkers;
  const load = useLoad('the service', () => ({ front: service.front }));
  it('are replaced at SIGUSR2 without one request that fails, twice when it is sent twice', async () => {
    service = await workers.start();
    const before = service.pids();
    await load.start(20);
    await load.untilAnswered(200);
    service.kill('SIGUSR2');
    await service.logged('replacing the workers');
    service.kill('SIGUSR2');
    await until(() => service.messages(/^all workers are replaced$/).length === 2);
    await load.untilAnswered(200);
    await load.stopWithNothingWrong();
    expect(service.pids()).to.have.lengthOf(2).and.to.not.include.members(before);
    expect(service.messages(/has died/)).to.deep.equal([]);
  });

  it('look healthy all the time while they are replaced', async () => {
    service = await workers.start();
    service.kill('SIGUSR2');
    const answers = new Set<number>();
    const opsUrl = { url: service.opsUrl };
    await until(async () => {
      const asked = [ask(service, 'GET /health'), ask(opsUrl, 'GET /readyz')];
      for (const { status } of await Promise.all(asked)) answers.add(status);
      return service.messages(/^all workers are replaced$/).length === 1;
    });
    expect([...answers]).to.deep.equal([200]);
  });

  it('are started again when they die, and no count falls', async () => {
    service = await workers.start();
    for (let n = 0; n < 10; n += 1) await ask(service, 'GET /');
    const lists = (): Promise<number> =>
      service.metric('gsls_http_request_duration_seconds_count', { route: '/', method: 'GET', status: 200 });
    const before = await lists();
    expect(before).to.be.at.least(10);
    const [victim] = service.pids();
    process.kill(victim!, 'SIGKILL');
    await until(() => service.messages(/has died, and is started again$/).length === 1);
    expect(await lists()).to.equal(before);
    await service.untilListening(2);
    expect(service.pids()).to.have.lengthOf(2).and.to.not.include(victim);
    expect(await service.metric('gsls_worker_deaths_total')).to.equal(1);
    expect(await lists()).to.equal(before);
  });

  it('that stand still are killed within some seconds, and get one connection at the most before', async () => {
    service = await workers.start();
    const [victim] = service.pids();
    process.kill(victim!, 'SIGSTOP');
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () =>
        ask(service, 'GET /', { giveUpAfterMs: 5000 }).then(
          ({ status }) => status,
          () => 'no answer',
        ),
      ),
    );
    expect(outcomes.filter((each) => each === 200)).to.have.lengthOf.at.least(19);
    await until(() => service.messages(/gives no sign of life, and is killed$/).length === 1);
    await service.untilListening(2);
    expect(service.pids()).to.have.lengthOf(2).and.to.not.include(victim);
  });

  it('that start while Redis is away leave the connections to those that have a list', async () => {
    service = await workers.start();
    workers.redis.freeze();
    try {
      const [victim] = service.pids();
      process.kill(victim!, 'SIGKILL');
      await until(() => service.messages(/has died/).length === 1 && service.pids().length === 2);
      // Long enough for a start without Redis (DEADLINES.startMs, twice): it takes no connection after it either.
      const until6s = performance.now() + 6000;
      while (performance.now() < until6s) expect((await ask(service, 'GET /')).status).to.equal(200);
      expect(await service.metric('gsls_workers')).to.equal(1);
    } finally {
      workers.redis.thaw();
    }
    await service.untilListening(2);
  });
});
