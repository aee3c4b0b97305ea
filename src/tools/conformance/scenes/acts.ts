/** The acts that many scenes share, and the themes that give scenes their names. */

import type { Ability } from '../abilities.ts';
import type {
  Act,
  AnswerScript,
  ChangesEvent,
  ReadExpected,
  Scene,
  Span,
  StreamEvent,
  WriteExpected,
} from '../scene.ts';

/** A scene of a theme. `needs`: what it needs beyond its theme. */
export type SceneOfTheme = Omit<Scene, 'name' | 'needs'> & { readonly needs?: readonly Ability[] };

/**
 * Scenes by their names, in their order. `needs`: what all of them need. A scene with a watch ends with the stop of its
 * last one.
 */
export function theme(
  needs: readonly Ability[],
  scenes: Readonly<Record<string, SceneOfTheme>>,
): readonly Scene[] {
  return Object.entries(scenes).map(([name, scene]) => ({
    ...scene,
    acts: scene.acts.some((act) => 'watch' in act) ? [...scene.acts, { stop: {} }] : scene.acts,
    name,
    needs: [...needs, ...(scene.needs ?? [])],
  }));
}

/** The span of the first ping: it comes within the usual interval. */
export const SOON: Span = [0, 20_000];
/** The usual interval, as later pings keep it. */
export const NEXT: Span = [18_000, 22_000];
/** The pause between two polls. */
export const POLLED: Span = [1800, 2200];
/** The pause after a failure, then after the second and the third in a row. */
export const PAUSES: readonly Span[] = [
  [500, 1000],
  [1000, 2000],
  [2000, 4000],
];
/** The pause after the first failure. */
export const FIRST = PAUSES[0]!;
/** Members that no client knows: a later version may have more. */
export const UNKNOWN = { mood: { is: [1, null, { deep: true }] }, weather: 'fine' };
export const ACCEPTED: AnswerScript = { accept: {} };
export const STARTS: Act = { start: {} };

/** The answer that lists a game server: id and token have this name. */
export const listed = (name: string, intervalS = 20): AnswerScript => ({
  accept: { id: name, token: name, intervalS },
});

/** The first broadcast, which claims. */
export const broadcasts = (answer: AnswerScript, more: Partial<WriteExpected> = {}): Act => ({
  request: 'broadcast',
  token: 'claim',
  key: 'fresh',
  ...more,
  answer,
});

/** A beginning: the client starts, and its first broadcast gets this answer. */
export const starts = (answer: AnswerScript, more?: Partial<WriteExpected>): readonly Act[] => [
  STARTS,
  broadcasts(answer, more),
];

/** The same broadcast once more. */
export const repeats = (after: Span, answer: AnswerScript): Act => broadcasts(answer, { after, key: 'same' });

/** A new broadcast, with this token. */
export const returns = (token: string, after: Span, answer: AnswerScript): Act =>
  broadcasts(answer, { after, token });

/** A ping of the entry of this name. */
export const pings = (
  name: string,
  after: Span,
  answer: AnswerScript = ACCEPTED,
  more: Partial<WriteExpected> = {},
): Act => ({ request: 'ping', after, token: name, id: name, ...more, answer });

/** The kit tells the client to stop, and the client removes the entry of this name. */
export const stops = (name: string, more: Partial<WriteExpected> = {}): Act => ({
  stop: { remove: { id: name, token: name, answer: ACCEPTED, ...more } },
});

/** SIGTERM comes, and the client removes the entry of this name, and ends. */
export const terminates = (name: string, more: Partial<WriteExpected> = {}): Act => ({
  terminate: { remove: { id: name, token: name, answer: ACCEPTED, ...more } },
});

/** Another process of the client, which finds the token of this name, and is listed as the other one. */
export const startsAnew = (token: string, name = token): readonly Act[] => [
  { restart: true },
  { start: { tokenFile: 'kept' } },
  { request: 'broadcast', token, key: 'fresh', answer: listed(name) },
  pings(name, SOON),
];

/** A beginning: the client starts, and is listed as A. */
export const BEGINS_LISTED = starts(listed('A'));

/** An end: the first ping, then the stop. */
export const settles = (name: string): readonly Act[] => [pings(name, SOON), stops(name)];

/** An end: two pings, then the stop. */
export const keeps = (name: string): readonly Act[] => [pings(name, SOON), pings(name, NEXT), stops(name)];

/** A life in which broadcasts and a ping fail with this answer, and are sent again after these pauses. */
export const passes = (answer: AnswerScript, pauses = PAUSES): readonly Act[] => [
  ...starts(answer),
  ...pauses.slice(0, -1).map((after) => repeats(after, answer)),
  repeats(pauses.at(-1)!, listed('A')),
  pings('A', SOON),
  pings('A', NEXT, answer),
  pings('A', pauses[0]!),
  pings('A', NEXT),
  stops('A'),
];

/** An answer of JSON. */
export const answersJson = (status: number, body: string): AnswerScript => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body,
});

type ServersSaid = Extract<Act, { servers: readonly string[] }>;
type Said = Omit<ServersSaid, 'servers'>;

/** A request of a reader. */
export const gets = (
  path: ReadExpected['get'],
  answer: AnswerScript,
  more: Partial<ReadExpected> = {},
): Act => ({ get: path, ...more, answer });

/** The kit tells the client to list, and the client reports these servers. */
export const lists = (
  request: Omit<ReadExpected, 'get'>,
  servers: readonly string[],
  said: Said = {},
): readonly Act[] => [{ list: true }, { get: '/', ...request }, { servers, ...said }];

/** An event with these servers, as changes or as all of the list. */
export const changesEvent = (ids: readonly string[], tag: string): ChangesEvent => ({
  changes: { ids, tag },
});
export const whole = (ids: readonly string[], tag: string): ChangesEvent => ({
  changes: { ids, full: true, tag },
});

/** The request of a watch that is at this tag. */
export const asks = (at: string, answer: AnswerScript, more: Partial<ReadExpected> = {}): Act =>
  gets('/changes', answer, { at, ...more });

/** The request after this pause. */
export const asksAfter = (
  after: Span,
  at: string,
  answer: AnswerScript,
  accept?: ReadExpected['accept'],
): Act => asks(at, answer, { after, ...(accept && { accept }) });

/** The stream brings this event, and the client reports these servers. */
export const tells = (event: StreamEvent, servers: readonly string[], said: Said = {}): readonly Act[] => [
  { send: [event] },
  { servers, ...said },
];

/** A beginning: a stream brings these events to a watch of everything. */
export const follows = (
  stream: readonly StreamEvent[],
  servers: readonly string[],
  said: Said = {},
): readonly Act[] => [{ watch: '' }, gets('/changes', { stream }), { servers, ...said }];

/** A beginning: a stream brings these servers to a watch, at the tag 1. */
export const watches = (servers: readonly string[], query = ''): readonly Act[] => [
  { watch: query },
  asks('none', { stream: [whole(servers, '1')] }),
  { servers },
];

/** The stream ends, and the client connects again, at this tag. */
export const reconnects = (
  how: 'well' | 'cut' | 'reset',
  at: string,
  answer: AnswerScript,
  accept?: ReadExpected['accept'],
): readonly Act[] => [{ end: how }, asksAfter(FIRST, at, answer, accept)];
