/**
 * What every room is opened with, beside options of its own (service/room-options.ts), and what it gives: its routes,
 * and how it is closed.
 */

import type { Deadlines } from '../../runtime/deadlines.ts';
import type { Logger } from '../../runtime/log/logger.ts';
import type { AddressMask } from '../../model/net/address-mask.ts';
import type { Lifetime } from '../../registry/lifetime.ts';
import type { Backend, WriteOutage } from '../../registry/backend.ts';
import type { QuotaExceeded } from '../../registry/registry.ts';
import type { Turns } from '../work/turns.ts';
import type { CurrentList } from './current-list.ts';
import type { Route } from './route.ts';

/** The reason of `stopping` where another worker of the service has taken the place of this replica. */
export const REPLACED = 'replaced';

/** Whether load balancers are to turn to other replicas: not where the next connection gets another worker anyway. */
export function isToBeLeft(stopping: AbortSignal | undefined): boolean {
  return stopping?.aborted === true && stopping.reason !== REPLACED;
}

export type CountryOf = (ip: string) => string | undefined;

export interface Context {
  readonly registry: Backend;
  /** Why the registry refuses writes now; undefined while it accepts them. */
  readonly whyRefused: () => WriteOutage | undefined;
  readonly lifetime: Lifetime;
  /**
   * Lets a game server in that is new here, unless the registries of this service list too many together; undefined
   * without such a limit.
   */
  readonly letIn?: (() => Promise<QuotaExceeded | undefined>) | undefined;
  /**
   * Finds the country of an address (parseIp) as two capital letters that continentOf() knows; undefined for an unknown
   * one. Undefined as a whole where the operator has no file of countries.
   */
  readonly countryOf?: CountryOf | undefined;
  /** The list as all rooms read it. */
  readonly currentList: CurrentList;
  /** The turns that all work of this process shares. */
  readonly turns: Turns;
  readonly logger: Logger;
  /** An address of a client as far as it may be shown and logged. */
  readonly maskAddress: AddressMask;
  /** Whether readers need a key: then no shared cache may store an answer. */
  readonly isPrivate: boolean;
  readonly deadlines: Pick<Deadlines, 'streamMs'>;
  /** Aborted when this replica begins to shut down; the reason may be REPLACED. */
  readonly stopping: AbortSignal | undefined;
  /** ms since the epoch. */
  readonly now: () => number;
}

export interface Room {
  readonly routes: readonly Route[];
  readonly close?: () => Promise<void>;
}
