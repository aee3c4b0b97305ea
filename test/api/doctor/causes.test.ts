/** Each cause why a game server is not listed, staged, and what the endpoint says of it: in memory and on Redis. */

import { expect } from 'chai';
import { MemoryRegistry } from '../../../src/registry/memory/memory-registry.ts';
import { FINDINGS } from '../../../src/model/findings.ts';
import { askDoctor, bodyOf, openStage, STAGED, type Stage, type World } from '../../support/doctor-stages.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { needs } from '../../support/needs.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import { useReplicas } from '../../support/use-replicas.ts';

function describeCauses(world: () => World): void {
  let stage: Stage | undefined;
  afterEach(() => stage?.close());

  for (const [title, { cause, environment, stage: prepare, says, isListed = false }] of Object.entries(
    STAGED,
  ))
    it(`finds the cause of ${title}`, async () => {
      stage = await openStage(world(), environment);
      const asked = await prepare(stage);
      const askedAt = performance.now();
      const answer = await askDoctor(stage, asked);
      expect(performance.now() - askedAt).to.be.below(5000);
      expect(answer.status, answer.text).to.equal(200);
      const body = bodyOf(answer);
      expect(body.cause, answer.text).to.equal(cause);
      expect(body.says).to.match(says);
      expect(body.next_step).to.equal(FINDINGS[cause].nextStep);
      expect(body.listed).to.equal(isListed);
    });
}

describe('the doctor of a registry in memory', () => {
  describeCauses(() => {
    const clock = new ManualClock(Date.now());
    return { clock, open: async (rules) => new MemoryRegistry({ lifetime, clock, ...rules }) };
  });
});

needs('redis-server').describe('the doctor of a registry in Redis', () => {
  const replicas = useReplicas();
  describeCauses(() => ({ clock: replicas.clock, open: (rules) => replicas.open(rules) }));
});
