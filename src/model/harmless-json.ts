/** Checks whether a JSON value of any form can be kept and shown. This file knows no field and no schema. */

import type { Json } from './fields/detail-fields.ts';
import { isHarmless } from './text-rules.ts';

/** Whether a value has at most so many levels, only harmless texts, and no number beyond those of JavaScript. */
export function isHarmlessJson(levels: number, value: Json): boolean {
  if (typeof value === 'string') return isHarmless(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.every((each) => isHarmlessJson(levels - 1, each));
  return Object.entries(value).every(([key, each]) => isHarmless(key) && isHarmlessJson(levels - 1, each));
}
