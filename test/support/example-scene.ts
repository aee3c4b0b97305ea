/** A client of examples/ before a service of its own, and what they say to each other: what one test of it needs. */

import type { Service } from '../../src/service/service.ts';
import { ask } from './ask.ts';
import type { ListedBody } from './builders.ts';
import { GameProcess, type Command } from './game-process.ts';
import { Recorder } from './recorder.ts';
import type { useSideBySide } from './side-by-side.ts';
import { startTestService } from './start-test-service.ts';

const TTL_S = 3;

/** A service, a client of it, and what they said to each other: of one test. */
export interface Scene {
  readonly recorder: Recorder;
  /** The service that runs now. */
  readonly service: Service;
  /** The game server that runs now. */
  readonly game: GameProcess;
  /** Starts a service, in place of the one before. */
  readonly serve: (environment: Record<string, string>) => Promise<void>;
  /** Starts a game server, in place of the one before, which has crashed. `path`: behind the URL of the service. */
  readonly play: (setting?: { readonly tokenFile?: string; readonly path?: string }) => Promise<void>;
  readonly listed: () => Promise<readonly ListedBody[]>;
  readonly refuseNext: (code: string) => void;
  readonly close: () => Promise<void>;
}

async function createScene(command: () => Command): Promise<Scene> {
  let service: Service | undefined;
  let game: GameProcess | undefined;
  const recorder = new Recorder(() => service!.url);
  const url = await recorder.start();
  return {
    recorder,
    get service() {
      return service!;
    },
    get game() {
      return game!;
    },
    async serve(environment) {
      await service?.close();
      service = await startTestService({ GSLS_TTL: String(TTL_S), ...environment });
    },
    async play({ tokenFile, path = '' } = {}) {
      await game?.crash();
      game = new GameProcess(command(), [url + path, ...(tokenFile === undefined ? [] : [tokenFile])]);
    },
    listed: async () => (await ask(service!, 'GET /')).body.servers!,
    refuseNext(code) {
      recorder.spoilNext = (response) =>
        response.writeHead(403).end(JSON.stringify({ status: 'error', error: code, code }));
    },
    async close() {
      await game?.crash();
      recorder.stop();
      await service?.close();
    },
  };
}

/** Call it in a describe block. Returns what takes the place of `it`: each test has all of its own. */
export function useScenes(
  command: () => Command,
  itBeside: ReturnType<typeof useSideBySide>,
): (title: string, body: (scene: Scene) => Promise<void>) => void {
  const open: Scene[] = [];
  after(() => Promise.all(open.map((scene) => scene.close())));
  return (title, body) =>
    itBeside(title, async () => {
      const scene = await createScene(command);
      open.push(scene);
      await body(scene);
      await scene.game.crash();
    });
}
