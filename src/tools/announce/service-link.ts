/**
 * The way of all game servers of this process to one service: few connections, counted requests, and an end within a
 * time limit. Knows what a path asks for only as far as the end needs it.
 */

import { createAsk, type ServiceAnswer, type Ask } from '../../../clients/typescript/src/ask.ts';
import { BeaconWatch } from '../../../clients/typescript/src/beacons/beacon-watch.ts';
import type { Environment } from '../../../clients/typescript/src/environment.ts';
import type { ServiceSettings } from './config/announce-config.ts';
import { ERRORS } from '../../model/errors.ts';
import type { Counts } from './counts.ts';
import { MachineHost, type MachineHostOptions } from './machine-host.ts';

export interface ServiceLink {
  readonly url: string;
  readonly ask: Ask;
  /** The host of game servers for which nobody has named one. */
  readonly machineHost: MachineHost;
  /** How far the beacons of the service are from this machine; undefined if nobody is to measure them. */
  readonly beacons: BeaconWatch | undefined;
  /** Gives up the requests that are under way. */
  giveUp(): void;
}

/** Few enough for a service that limits the connections of an address. */
const MOST_AT_ONCE = 16;
/** A process that ends has less time than one that pings. */
const REMOVE_TIMEOUT_MS = 1500;

export interface ServiceLinkOptions {
  readonly environment: Environment;
  readonly measures: boolean;
  readonly counts: Counts;
  readonly addressesOf: MachineHostOptions['addressesOf'];
}

export function createServiceLink(
  { url, key }: ServiceSettings,
  { environment, measures, counts, addressesOf }: ServiceLinkOptions,
): ServiceLink {
  const { fetch, now } = environment;
  const underWay = new Set<AbortController>();
  const ask = createAsk({ url, key, fetch, mostAtOnce: MOST_AT_ONCE });
  // A remove would never get its turn behind pings that hang.
  const askForRemoval = createAsk({ url, key, fetch, mostAtOnce: 4 * MOST_AT_ONCE });

  const once: Ask = async (question) => {
    const controller = new AbortController();
    underWay.add(controller);
    const { signal } = controller;
    const answer =
      question.path === '/remove'
        ? await askForRemoval({ ...question, timeoutMs: REMOVE_TIMEOUT_MS, signal })
        : await ask({ ...question, signal });
    underWay.delete(controller);
    counts.addRequest(url, question.path.slice(1), outcomeOf(answer));
    return answer;
  };

  const askWell: Ask = async (question) => {
    const answer = await once(question);
    // A connection that was idle may be closed by now, and this is the only attempt.
    return question.path === '/remove' && answer.cause === 'cut_off' ? once(question) : answer;
  };

  return {
    url,
    ask: askWell,
    machineHost: new MachineHost({ ask: askWell, addressesOf, now }),
    beacons: measures ? new BeaconWatch({ ask: once, environment }) : undefined,
    giveUp() {
      for (const controller of underWay) controller.abort();
    },
  };
}

/** A few texts only, whatever the service answers. */
function outcomeOf({ status, code, body, cause }: ServiceAnswer): string {
  if (cause !== undefined) return cause;
  if (status === 200) return body['status'] === 'success' ? 'success' : 'foreign';
  return code !== undefined && Object.hasOwn(ERRORS, code) ? code : `${status}`;
}
