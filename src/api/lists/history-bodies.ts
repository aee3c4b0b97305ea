/**
 * Bodies of parts of the history. All points of a step are rendered once after they have changed, and each part is cut
 * out of the result.
 */

import { LRUCache } from 'lru-cache';
import type { HistoryPoint, HistoryPoints, HistoryStep } from '../../registry/history-record.ts';
import { lowerBound } from '../../registry/snapshot/row.ts';
import { Body } from '../work/body.ts';
import type { HistoryQuery } from './history-query.ts';
import type { Turns } from '../work/turns.ts';
import type { Asker, Shared, Work } from '../work/work.ts';

/** How many points are rendered between two pauses, which takes 0.1 ms. */
const POINTS_AT_ONCE = 100;

/** How many bodies of a step are kept. The longest has 0.9 MB, and its compressed form a tenth of that. */
const MOST_BODIES = 8;

/** All points of a step, rendered, with a comma behind each. */
interface Rendered {
  readonly bytes: Buffer;
  /** The offset of each point in the bytes. */
  readonly starts: Uint32Array;
  /** The bodies by their first and last points. */
  readonly bodies: LRUCache<string, Body>;
}

export class HistoryBodies {
  readonly #turns: Turns;
  readonly #rendered = new WeakMap<HistoryPoints, Shared<Rendered>>();

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  /** `points`: all points of the step. Rejects with a ServiceError `overloaded`. */
  async bodyOf(points: HistoryPoints, { step, from, to }: HistoryQuery, asker: Asker): Promise<Body> {
    const first = lowerBound(points, ({ time }) => time >= from);
    const end = lowerBound(points, ({ time }) => time >= to, first);
    const rendered = await this.#render(points, asker);
    const known = rendered.bodies.get(`${first}-${end}`);
    return known ?? this.#turns.run(asker, () => cutOut(rendered, step, first, end));
  }

  #render(points: HistoryPoints, asker: Asker): Promise<Rendered> {
    let rendered = this.#rendered.get(points);
    if (rendered === undefined) {
      rendered = this.#turns.share(asker, () => render(points));
      this.#rendered.set(points, rendered);
      rendered.result.catch(() => this.#rendered.delete(points));
    } else rendered.join(asker);
    return rendered.result;
  }
}

const NOTHING = Buffer.alloc(0);
const TAIL = Buffer.from(']}');

function* cutOut(
  { bytes, starts, bodies }: Rendered,
  step: HistoryStep,
  first: number,
  end: number,
): Work<Body> {
  // No other work runs between the lookup and the cut: it could cut the same part.
  yield;
  const key = `${first}-${end}`;
  let body = bodies.get(key);
  if (body === undefined) {
    // The part ends before the comma behind its last point.
    const part = first === end ? NOTHING : bytes.subarray(starts[first], starts[end]! - 1);
    const head = Buffer.from(`{"status":"success","step":"${step}","points":[`);
    body = new Body(Buffer.concat([head, part, TAIL]));
    bodies.set(key, body);
  }
  return body;
}

function* render(points: HistoryPoints): Work<Rendered> {
  const starts = new Uint32Array(points.length + 1);
  let text = '';
  for (const [index, point] of points.entries()) {
    starts[index] = text.length;
    text += renderPoint(point);
    if (index % POINTS_AT_ONCE === POINTS_AT_ONCE - 1) yield;
  }
  starts[points.length] = text.length;
  return { bytes: Buffer.from(text), starts, bodies: new LRUCache({ max: MOST_BODIES }) };
}

/** The text is ASCII alone, so that its length is that of its bytes. */
function renderPoint({ time, servers, players, peak }: HistoryPoint): string {
  const begin = new Date(time).toISOString();
  return `{"time":"${begin}","servers":${servers},"players":${players},"peak_players":${peak}},`;
}
