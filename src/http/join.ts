/** `GET /join/{code}`: the unlisted entry with this join code, whole. Knows neither Koa nor sockets. */

import { ServiceError } from '../errors.ts';
import { renderServer } from '../find/render-server.ts';
import { readJoinCode } from '../registry/join-code.ts';
import type { Registry } from '../registry/registry.ts';
import { Rope } from '../registry/snapshot/rope.ts';
import { jsonAnswer } from './answer.ts';
import type { CurrentList } from './current-list.ts';
import type { Endpoint } from './endpoint.ts';

export interface JoinOptions {
  readonly registry: Pick<Registry, 'withJoinCode' | 'mayBeTold'>;
  readonly currentList: Pick<CurrentList, 'answer'>;
}

export function createJoin({ registry, currentList }: JoinOptions): Endpoint {
  return ({ parameter = '' }) =>
    currentList.answer(() => {
      const entry = registry.withJoinCode(readJoinCode(parameter));
      if (entry === undefined || !registry.mayBeTold(entry)) throw new ServiceError('unknown_join_code');
      const body = `{"status":"success","server":${renderServer(entry, true)}}`;
      return jsonAnswer(new Rope([Buffer.from(body)]));
    });
}
