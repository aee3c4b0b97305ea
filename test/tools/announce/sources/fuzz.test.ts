/**
 * What strangers may send, to all that reads it: recorded replies of which some bytes are others, cut, doubled and out
 * of order; .ci/run tries more of them. Nothing throws or asks for ever; and whatever is told, a service
 * takes.
 */

import { expect } from 'chai';
import * as fc from 'fast-check';
import type { GameState } from '../../../../src/tools/announce/sources/game-state.ts';
import { parseState } from '../../../../src/tools/announce/sources/parse-state.ts';
import { A2s } from '../../../../src/tools/announce/sources/queries/a2s.ts';
import { chatText, Minecraft } from '../../../../src/tools/announce/sources/queries/minecraft.ts';
import type { Dialogue } from '../../../../src/tools/announce/sources/queries/dialogue.ts';
import { Quake3 } from '../../../../src/tools/announce/sources/queries/quake3.ts';
import { Teeworlds } from '../../../../src/tools/announce/sources/queries/teeworlds.ts';
import { stateOf } from '../../../../src/tools/announce/sources/state-of.ts';
import { parseBroadcast } from '../../../../src/api/writes/validation.ts';
import { anyText } from '../../../support/any-text.ts';
import { runs } from '../../../support/runs.ts';
import { A2S, MINECRAFT, minecraftReply, QUAKE3, TEEWORLDS } from './recordings.ts';
import { sevens } from './use-peers.ts';

const EACH = { numRuns: runs(200) };

/** A broadcast with this state is valid as it is. */
function expectTaken({ name = 'a', players = 0, maxPlayers = 0, ...details }: GameState): void {
  const { gameServer } = parseBroadcast({
    server_host: '192.0.2.1',
    server_ip: '192.0.2.1',
    server_port: 1,
    server_name: name,
    players,
    max_players: maxPlayers,
    ...details,
  });
  expect(gameServer).to.include({ name, players, maxPlayers });
}

type Change = readonly [kind: 'set' | 'cut' | 'insert' | 'double', at: number, byte: number];

const changes = fc.array(
  fc.tuple(
    fc.constantFrom('set', 'set', 'set', 'cut', 'insert', 'double'),
    fc.nat(2000),
    fc.oneof(fc.constantFrom(0, 1, 0x5c, 0x7f, 0x80, 0xff), fc.nat(255)),
  ),
  { maxLength: 4 },
);

function changed(bytes: Buffer, all: readonly Change[]): Buffer {
  return all.reduce((result, [kind, at, byte]) => {
    const place = result.length === 0 ? 0 : at % result.length;
    if (kind === 'cut') return result.subarray(0, place);
    if (kind === 'double') return Buffer.concat([result, result.subarray(place)]);
    const [before, after] = [result.subarray(0, place), result.subarray(kind === 'set' ? place + 1 : place)];
    return Buffer.concat([before, Buffer.from([byte]), after]);
  }, bytes);
}

const packetsLike = (replies: readonly Buffer[]): fc.Arbitrary<readonly Buffer[]> =>
  fc.array(
    fc.oneof(
      {
        weight: 9,
        arbitrary: fc.tuple(fc.constantFrom(...replies), changes).map(([reply, all]) => changed(reply, all)),
      },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)) },
    ),
    { minLength: 1, maxLength: 6 },
  );

/** How often it asks again by itself, while it hears them all. */
function hear(dialogue: Dialogue, packets: readonly Buffer[]): number {
  let asks = 0;
  for (const packet of packets) {
    const step = dialogue.hear(packet);
    expect(dialogue.question.every((each) => each.length <= 600)).to.equal(true);
    if (step.is === 'ask') asks += 1;
    if (step.is === 'told' || step.is === 'enough') expectTaken(step.state);
    if (step.is === 'unusable') expect(step.why).to.match(/^[\x20-\x7e]+$/);
  }
  return asks;
}

/** The parts of a reply as a server of Source sends them. */
function parts(reply: Buffer): Buffer[] {
  return [0, 1].map((number) =>
    Buffer.concat([
      Buffer.from(`feffffff07000000020${number}e004`, 'hex'),
      reply.subarray(number * 60, number === 0 ? 60 : reply.length),
    ]),
  );
}

describe('whatever a game server sends', () => {
  for (const [title, replies, create] of [
    ['by A2S', [...Object.values(A2S), ...parts(A2S.counterStrike2)], () => new A2s()],
    [
      'by Quake III',
      [QUAKE3.openArenaInfo('070707070707'), QUAKE3.openArenaStatus, QUAKE3.quake3Status, QUAKE3.xonoticInfo],
      () => new Quake3(sevens),
    ],
    ['by Teeworlds', Object.values(TEEWORLDS), () => new Teeworlds(sevens)],
    [
      'by Minecraft',
      [MINECRAFT.vanilla1_8, minecraftReply(MINECRAFT.vanilla2026), minecraftReply(MINECRAFT.paper1_18)],
      () => new Minecraft({ host: 'localhost', port: 1 }),
    ],
  ] as const)
    it(`${title} is taken or refused`, () => {
      fc.assert(
        fc.property(packetsLike(replies), (packets) => {
          expect(hear(create(), packets)).to.be.at.most(4);
        }),
        EACH,
      );
    });

  it('is read as a chat component', () => {
    const part = fc.oneof(anyText(), fc.jsonValue({ maxDepth: 2 }));
    const component = fc.oneof(part, fc.array(part), fc.record({ text: part, extra: fc.array(part) }));
    fc.assert(
      fc.property(component, (value) => expectTaken(stateOf({ name: chatText(value) }))),
      { numRuns: runs(40) },
    );
  });
});

describe('whatever a program or a file says', () => {
  it('is taken or refused', () => {
    const names = ['server_name', 'players', 'max_players', 'map', 'mode', 'version', 'region', 'password'];
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 5 }),
      anyText(200),
      fc.nat(2_000_000),
      fc.constantFrom(-0, -1, 1.5, 1e300, '\ud800', '\u202e', null, true),
      fc.array(anyText()),
    );
    const said = fc.oneof(
      fc
        .dictionary(fc.constantFrom(...names, 'tags', 'meta'), value, { maxKeys: 4 })
        .map((each) => JSON.stringify(each)),
      fc.jsonValue().map((each) => JSON.stringify(each)),
      anyText(),
    );
    fc.assert(
      fc.property(said, (text) => {
        const parsed = parseState(text);
        if (parsed.is === 'told') expectTaken(parsed.state);
        else expect(parsed.why).to.not.match(/[\p{Cc}\p{Cs}\u2028\u202e]/u);
      }),
      EACH,
    );
  });
});
