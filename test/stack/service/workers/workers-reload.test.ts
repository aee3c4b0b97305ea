/** A service with workers and a configuration file that changes: all workers go by it, and no request fails. */

import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { sha256Of } from '../../../../src/api/http/key-ring.ts';
import { ask } from '../../../support/ask.ts';
import { needs } from '../../../support/needs.ts';
import { until } from '../../../support/until.ts';
import { useDirectory } from '../../../support/use-directory.ts';
import { useWorkers, type ServiceWithWorkers } from './use-workers.ts';

const keyed = (key: string) => ({ Authorization: `Bearer ${key}` });

const fileOf = (registries: readonly string[], keys: readonly string[]): string =>
  JSON.stringify({
    registries: Object.fromEntries(registries.map((name) => [name, {}])),
    keys: keys.map((key) => ({ name: key, sha256: sha256Of(key), may: ['announce', 'read', 'operate'] })),
  });

/** The status that all workers answer with; undefined while they differ. Connections go to them in turn. */
async function statusOf(service: ServiceWithWorkers, path: string, key: string): Promise<number | undefined> {
  const answers = [1, 2, 3, 4].map(() => ask(service, `GET ${path}`, { headers: keyed(key) }));
  const [status, ...others] = new Set((await Promise.all(answers)).map((answer) => answer.status));
  return others.length === 0 ? status : undefined;
}

const workersThatLogged = ({ log }: ServiceWithWorkers, beginning: string): (number | undefined)[] => {
  const lines = log.filter(({ msg }) => msg.startsWith(beginning)) as readonly { worker?: number }[];
  return [...new Set(lines.map(({ worker }) => worker))];
};

needs('Linux', 'redis-server').describe('a service with workers and a configuration file', function () {
  this.timeout(120_000);
  const workers = useWorkers();
  const newPath = useDirectory();

  for (const [how, tell] of Object.entries({
    'the change of the file': () => undefined,
    SIGHUP: (service: ServiceWithWorkers) => service.kill('SIGHUP'),
  }))
    it(`goes by it everywhere after ${how}, without a failed request, and ignores a broken one`, async () => {
      const path = newPath();
      const write = (text: string): void => {
        writeFileSync(path, text);
        tell(service);
      };
      writeFileSync(path, fileOf(['stays', 'goes'], ['old']));
      const service = await workers.start(['--config', path], keyed('old'));
      expect(await statusOf(service, '/goes/', 'old')).to.equal(200);
      const statuses = new Set<number>();
      const over = new AbortController();
      const asking = [1, 2].map(async () => {
        while (!over.signal.aborted) {
          const { status } = await ask(service, 'GET /stays/', { headers: keyed('old') });
          statuses.add(status);
        }
      });

      write(fileOf(['stays', 'comes'], ['old', 'new']));
      await until(async () => (await statusOf(service, '/stays/', 'new')) === 200);
      await until(async () => (await statusOf(service, '/comes/', 'new')) === 200);
      await until(async () => (await statusOf(service, '/goes/', 'old')) === 404);

      write(`${fileOf(['stays'], ['new'])} }`);
      await until(() => workersThatLogged(service, 'the configuration cannot be used').length === 2);
      for (const name of ['stays', 'comes'])
        expect(await statusOf(service, `/${name}/`, 'old'), name).to.equal(200);

      over.abort();
      await Promise.all(asking);
      expect([...statuses]).to.deep.equal([200]);
      expect(workersThatLogged(service, 'the configuration has changed')).to.have.members([1, 2]);
    });
});
