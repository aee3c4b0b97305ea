/** Answers for moderators as text for a terminal. What the answers hold may come from anybody. */

import { addressOf } from '../../model/address-of.ts';
import { printable } from '../../model/printable.ts';
import type { components } from '../../model/view/api.d.ts';
import type { AdminAnswer } from './ask-admin.ts';

type Schemas = components['schemas'];
type Rule = Schemas['Ban'] & Schemas['Label'];

export function describeAdded(what: 'ban' | 'label'): (answer: AdminAnswer) => string {
  return ({ body }) => {
    const { ban, rule, mode, matches } = body as unknown as Rule & { readonly matches: number };
    const how = mode === 'silent' ? ', silently' : '';
    return `added the ${what} ${text(ban ?? rule)}${how}; entries that match now: ${text(matches)}\n`;
  };
}

/** Each rule in two lines: whom it concerns, and why. */
export function describeRules(what: 'bans' | 'labels'): (answer: AdminAnswer) => string {
  return ({ body }) => {
    const rules = listIn(body, what) as readonly Rule[];
    return rules.length === 0 ? `no ${what}\n` : rules.map(describeRule).join('');
  };
}

function describeRule(each: Rule): string {
  const patterns = (['id', 'address', 'host', 'name'] as const)
    .filter((field) => each[field] !== undefined)
    .map((field) => `${field} ${text(each[field])}`)
    .join(', ');
  const author = each.author === '' ? '' : ` by ${text(each.author)}`;
  const end = each.expires_at === undefined ? '' : `, until ${text(each.expires_at)}`;
  const why = each.reason === undefined ? '' : `${text(each.reason)} `;
  const id = text(each.ban ?? each.rule);
  return `${id}  ${text(each.mode ?? each.label)}  ${patterns}\n  ${why}(${text(each.created_at)}${author}${end})\n`;
}

/** Each entry in two lines: what it says, and what only moderators see. */
export function describeEntries({ body }: AdminAnswer): string {
  const entries = listIn(body, 'servers') as readonly Schemas['Entry'][];
  const { total = 0, count = 0 } = body as unknown as Partial<Schemas['Entries']>;
  const lines = entries.map((each) => {
    const { id, name, host, port, players, max_players: most, client, labels = [], reports } = each;
    const { players_seen: seen } = each;
    const facts = [
      each.shown ? 'shown' : `hidden: ${text(each.hidden_by)}`,
      ...(client === undefined ? [] : [`from ${text(client)}`]),
      ...labels.map((label) => `[${text(label)}]`),
      ...(seen === undefined ? [] : [`players seen: ${text(seen)}`]),
      ...(reports === undefined ? [] : [`reported by ${text(reports.count)}`]),
    ];
    return `${text(id)}  ${text(name)}  ${text(addressOf(host, port))}  ${text(players)}/${text(most)}\n  ${facts.join(', ')}\n`;
  });
  return `${lines.join('')}${text(total)} of ${text(count)} entries match\n`;
}

export function describeReports({ body }: AdminAnswer): string {
  const reports = listIn(body, 'reports') as readonly Schemas['Reports']['reports'][number][];
  if (reports.length === 0) return 'no reports\n';
  return reports
    .map(({ server, count, reasons, notes, ban }) => {
      const why = Object.entries(reasons).map(([reason, voices]) => `${text(reason)} ${text(voices)}`);
      const hidden = ban === undefined ? '' : ', hidden';
      const said = notes.map(({ note }) => `  "${text(note)}"\n`);
      return `${text(server.id)}  ${text(server.name ?? '')}  networks: ${text(count)} (${why.join(', ')})${hidden}\n${said.join('')}`;
    })
    .join('');
}

function listIn(body: AdminAnswer['body'], name: string): readonly unknown[] {
  return Array.isArray(body[name]) ? body[name] : [];
}

/** Any value of an answer. */
function text(value: unknown): string {
  return printable(String(value));
}
