/** Times as answers have them. */

/** A time in ISO 8601 from ms since the epoch. */
export function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
