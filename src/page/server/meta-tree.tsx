/** What a game server says of itself beyond its fields: any JSON, as text. */

import type { JSX } from 'preact';
import { usePage } from '../parts/page-context.ts';

/** More than these are cut off, whatever the service lets pass. */
const DEEPEST = 6;
const MOST_MEMBERS = 100;
const LONGEST = 500;

export interface MetaTreeOptions {
  readonly value: unknown;
  readonly depth?: number;
}

export function MetaTree({ value, depth = 0 }: MetaTreeOptions): JSX.Element {
  const { texts } = usePage();
  if (typeof value !== 'object' || value === null) return <bdi>{cut(String(value))}</bdi>;
  const members = Object.entries(value);
  if (members.length === 0 || depth >= DEEPEST) return <span>…</span>;
  return (
    <dl class="meta">
      {members.slice(0, MOST_MEMBERS).map(([key, each]) => (
        <div key={key}>
          <dt>
            <bdi>{cut(Array.isArray(value) ? String(Number(key) + 1) : key)}</bdi>
          </dt>
          <dd>
            <MetaTree value={each} depth={depth + 1} />
          </dd>
        </div>
      ))}
      {members.length > MOST_MEMBERS && <div>{texts.details.andMore}</div>}
    </dl>
  );
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
