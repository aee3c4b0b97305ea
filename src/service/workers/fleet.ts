/**
 * The workers of a service, as its primary keeps them: each is started, watched, started again when it has died, and
 * replaced when that is asked for. Knows no process: whoever starts one tells what becomes of it.
 */

import type { FleetOptions, WorkerProcess } from './fleet-options.ts';
import type { StartFailure, FromReplica, Listening, ToReplica } from './messages.ts';
import { RestartPause } from './restart-pause.ts';

/** The first worker cannot start, for a reason that the operator has to mend. */
export class StartError extends Error {
  readonly isUsage: boolean;

  constructor({ message, isUsage }: StartFailure) {
    super(message);
    this.isUsage = isUsage;
  }
}

const TICK_MS = 100;
/** A tick that is later than this comes after a pause of the primary or of its machine, in which it heard nothing. */
const LONGEST_LATENESS_MS = 1000;
const LONGEST_SILENCE_MS = 10_000;
/** The longest time until the first sign of life: a busy machine takes long to load the program. */
const LONGEST_START_MS = 30_000;
/** The longest time until a new worker listens: a long list has to be loaded. */
const LONGEST_REPLACEMENT_MS = 60_000;

interface Member {
  readonly place: Place;
  readonly process: WorkerProcess;
  readonly bornAt: number;
  state: 'starting' | 'listening' | 'leaving' | 'killed';
  /** The time of the last sign of life. */
  heardAt: number;
}

interface Place {
  /** Its number, from 1 on. */
  readonly worker: number;
  readonly pause: RestartPause;
  current?: Member | undefined;
  /** The one that is to replace it. */
  next?: Member | undefined;
  /** When the place starts a worker, while it has none. */
  restartAt: number;
}

export class Fleet {
  /** Resolves once all workers have ended after stop(). Rejects with a StartError. */
  readonly ended: Promise<void>;
  readonly #options: FleetOptions;
  readonly #places: readonly Place[];
  readonly #members = new Set<Member>();
  readonly #stopClock: () => void;
  #finish: (error?: StartError) => void = () => undefined;
  #tickedAt: number;
  #isStopping = false;
  #hasListened = false;
  #deaths = 0;
  /** The places whose workers are still to be replaced: the first one now. */
  #toReplace: Place[] = [];
  #replacesAgain = false;

  /** Starts all workers. */
  constructor(options: FleetOptions) {
    const { workers, clock, random } = options;
    this.#options = options;
    this.#tickedAt = clock.now();
    this.ended = new Promise((resolve, reject) => {
      this.#finish = (error) => {
        this.#stopClock();
        if (error === undefined) resolve();
        else reject(error);
      };
    });
    this.#places = Array.from({ length: workers }, (_, index) => ({
      worker: index + 1,
      pause: new RestartPause(random),
      restartAt: this.#tickedAt,
    }));
    this.#stopClock = clock.every(TICK_MS, async () => this.#tick());
    this.#tick();
  }

  /** The workers that have listened, and still run. */
  get serving(): readonly WorkerProcess[] {
    return [...this.#members].filter(({ state }) => state !== 'starting').map(({ process }) => process);
  }

  /** How many workers take connections, and how many have died by themselves or were killed. */
  get counts(): { readonly listening: number; readonly deaths: number } {
    const listening = [...this.#members].filter(({ state }) => state === 'listening');
    return { listening: listening.length, deaths: this.#deaths };
  }

  tellAll(message: ToReplica): void {
    for (const { process } of this.#members) process.send(message);
  }

  /** Replaces all workers, one after the other. If it does so already, it does so once more afterwards. */
  replaceAll(): void {
    if (this.#isStopping) return;
    if (this.#toReplace.length > 0) {
      this.#replacesAgain = true;
      return;
    }
    this.#options.events.onReplacing(this.#places.length);
    this.#toReplace = [...this.#places];
    this.#replaceFirst();
  }

  /** All workers drain and end. */
  stop(delayMs: number): void {
    this.#isStopping = true;
    for (const member of this.#members) this.#dismiss(member, delayMs, false);
    if (this.#members.size === 0) this.#finish();
  }

  killAll(): void {
    for (const { process } of this.#members) process.kill();
  }

  #start(place: Place): Member {
    const { start, clock } = this.#options;
    const now = clock.now();
    const process = start({
      onMessage: (message) => this.#hear(member, message),
      onEnd: (how) => this.#bury(member, how),
    });
    const heardAt = now + LONGEST_START_MS - LONGEST_SILENCE_MS;
    const member: Member = { place, process, bornAt: now, state: 'starting', heardAt };
    this.#members.add(member);
    return member;
  }

  #hear(member: Member, message: FromReplica): void {
    const { events, clock } = this.#options;
    member.heardAt = clock.now();
    if (message.is === 'born') this.#greet(member);
    else if (message.is === 'listening') this.#listens(member, message);
    else if (message.is === 'failed') this.#fails(member, message);
    else if (message.is !== 'alive') events.onMessage(member.process, message);
  }

  #greet({ place: { worker }, process, state }: Member): void {
    const { workers } = this.#options;
    if (state === 'leaving') process.send({ is: 'leave', delayMs: 0, isReplaced: false });
    else process.send({ is: 'start', worker, workers, othersListen: this.counts.listening > 0 });
  }

  #listens(member: Member, where: Listening): void {
    if (member.state !== 'starting') return;
    const { place } = member;
    member.state = 'listening';
    this.#options.events.onListening(place.worker, where, !this.#hasListened);
    this.#hasListened = true;
    if (member !== place.next) return;
    const before = place.current;
    place.current = member;
    place.next = undefined;
    // The end of the old worker starts the replacement at the next place.
    if (before !== undefined) this.#dismiss(before, this.#options.drainDelayMs, true);
    else this.#replaceNext();
  }

  #fails({ place }: Member, failure: StartFailure): void {
    if (this.#hasListened) return this.#options.events.onFailed(place.worker, failure.message);
    this.#isStopping = true;
    this.#finish(new StartError(failure));
    this.killAll();
  }

  #dismiss(member: Member, delayMs: number, isReplaced: boolean): void {
    member.state = 'leaving';
    member.process.send({ is: 'leave', delayMs, isReplaced });
  }

  #bury(member: Member, how: number | string): void {
    const { place, process } = member;
    this.#members.delete(member);
    this.#options.events.onEnd(process);
    if (this.#isStopping) {
      if (this.#members.size === 0) this.#finish();
    } else if (member === place.current) this.#restartLater(member, how);
    else if (member === place.next) {
      place.next = undefined;
      this.#toReplace = [];
      this.#replacesAgain = false;
      this.#options.events.onNotReplaced(place.worker);
    } else this.#replaceNext();
  }

  #restartLater({ place, bornAt }: Member, how: number | string): void {
    const now = this.#options.clock.now();
    // If another worker is on its way, it takes the place.
    const restartInMs = place.next === undefined ? place.pause.after(now - bornAt) : 0;
    place.current = undefined;
    place.restartAt = now + restartInMs;
    this.#deaths += 1;
    this.#options.events.onDied(place.worker, how, restartInMs);
  }

  #replaceNext(): void {
    this.#toReplace.shift();
    this.#replaceFirst();
  }

  #replaceFirst(): void {
    const [place] = this.#toReplace;
    if (place === undefined) {
      this.#options.events.onReplaced();
      if (!this.#replacesAgain) return;
      this.#replacesAgain = false;
      this.replaceAll();
    }
    // A place without a worker gets a new one anyway.
    else if (place.current === undefined) this.#replaceNext();
    else place.next = this.#start(place);
  }

  #tick(): void {
    const now = this.#options.clock.now();
    const lateMs = now - this.#tickedAt - TICK_MS;
    this.#tickedAt = now;
    for (const member of this.#members) {
      if (lateMs > LONGEST_LATENESS_MS) member.heardAt += lateMs;
      this.#watch(member, now);
    }
    if (this.#isStopping) return;
    for (const place of this.#places)
      if (place.current === undefined && place.next === undefined && place.restartAt <= now)
        place.current = this.#start(place);
  }

  #watch(member: Member, now: number): void {
    const { place, process, state, bornAt, heardAt } = member;
    if (state === 'killed') return;
    const isSilent = now - heardAt > LONGEST_SILENCE_MS;
    const isLate = member === place.next && now - bornAt > LONGEST_REPLACEMENT_MS;
    if (isSilent) this.#options.events.onSilent(place.worker, now - heardAt);
    if (!isSilent && !isLate) return;
    member.state = 'killed';
    process.kill();
  }
}
