/** Plays scenes with a client, some at once, and says how each went. */

import { networkInterfaces, platform } from 'node:os';
import { ClientProgram } from './client-program.ts';
import { playScene, type SceneOutcome, type PlayOptions } from './play.ts';
import { ABILITIES, type Ability } from './abilities.ts';
import type { Scene } from './scene.ts';

export interface JudgeOptions extends PlayOptions {
  readonly scenes: readonly Scene[];
  /** How many scenes are played at once. */
  readonly atOnce: number;
  /** Gets the verdicts in the order of the scenes. */
  readonly onVerdict: (verdict: Verdict) => void;
}

export interface Verdict {
  readonly scene: Scene;
  /** `not concerned`: the client cannot do what the scene needs, or this machine cannot. */
  readonly result: 'passed' | 'failed' | 'not concerned';
  readonly outcome?: SceneOutcome;
}

export interface Introduction {
  readonly name: string;
  readonly can: readonly Ability[];
}

/** The command starts nothing that speaks with the kit. Says in one line why. */
export class NoClientProgram extends Error {}

const PATIENCE_MS = 20_000;

/** Verdicts in the order of the scenes. Rejects with a NoClientProgram. */
export async function judge(
  options: JudgeOptions,
): Promise<{ readonly client: Introduction; readonly verdicts: readonly Verdict[] }> {
  const client = await introduce(options.command);
  const { scenes, atOnce, onVerdict, isReal } = options;
  const verdicts: Verdict[] = [];
  let next = 0;
  let told = 0;
  const playInTurn = async (): Promise<void> => {
    for (let index = next++; index < scenes.length; index = next++) {
      const scene = scenes[index]!;
      const isConcerned =
        scene.needs.every((need) => client.can.includes(need)) &&
        (!isReal || scene.short === true) &&
        (scene.listens !== 'ipv6' || hasIpv6()) &&
        // Windows has no such signal.
        (platform() !== 'win32' || !scene.needs.includes('sigterm'));
      const verdict: Verdict = isConcerned
        ? await judgeOne(scene, options)
        : { scene, result: 'not concerned' };
      verdicts[index] = verdict;
      for (; verdicts[told] !== undefined; told += 1) onVerdict(verdicts[told]!);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, playInTurn));
  return { client, verdicts };
}

async function judgeOne(scene: Scene, options: PlayOptions): Promise<Verdict> {
  const outcome = await playScene(scene, options);
  return { scene, result: outcome.failure === undefined ? 'passed' : 'failed', outcome };
}

/** The first line of the program: its name, and what it can do. Rejects with a NoClientProgram. */
async function introduce(command: readonly string[]): Promise<Introduction> {
  let timer: NodeJS.Timeout | undefined;
  const heard = await new Promise<{ said?: unknown; noise?: string; end?: string }>((resolve) => {
    timer = setTimeout(() => resolve({ end: `it said nothing for ${PATIENCE_MS / 1000} s` }), PATIENCE_MS);
    const program = new ClientProgram(command, {
      onLine: (line) => {
        resolve(line);
        void program.end();
      },
      onEnd: (end) => resolve({ end }),
    });
  });
  clearTimeout(timer);
  const { ready } = (heard.said ?? {}) as { ready?: { name?: unknown; can?: unknown } };
  const { name, can } = ready ?? {};
  if (typeof name !== 'string' || !Array.isArray(can))
    throw new NoClientProgram(
      `${command.join(' ')} is no program for the kit: its first line is to be {"ready":{"name":…,"can":[…]}}, but ${heard.end ?? `it said ${heard.noise ?? JSON.stringify(heard.said)}`}`,
    );
  const unknown = can.find((each) => !(ABILITIES as readonly unknown[]).includes(each));
  if (unknown !== undefined)
    throw new NoClientProgram(
      `"${String(unknown)}" is nothing that a client can do: there are ${ABILITIES.join(', ')}`,
    );
  return { name, can: can as Ability[] };
}

/** Whether this machine can listen on `::1`. */
function hasIpv6(): boolean {
  return Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'));
}
