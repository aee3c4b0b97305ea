import { expect } from 'chai';
import * as fc from 'fast-check';
import { EventStreamParser, type StreamBlock } from '../../../../clients/typescript/src/feed/event-stream.ts';
import { runs } from '../../../support/runs.ts';

function blocksOf(...pieces: readonly string[]): readonly StreamBlock[] {
  const blocks: StreamBlock[] = [];
  const parser = new EventStreamParser((block) => blocks.push(block));
  for (const piece of pieces) parser.push(piece);
  return blocks;
}

describe('the parser of event streams', () => {
  it('tells events with their data and the id, and a bare id', () => {
    expect(blocksOf('retry: 5\n\nid: a\nevent: changes\ndata: {}\n\nid: b\n\n')).to.deep.equal([
      { event: 'changes', data: '{}', id: 'a' },
      { event: 'message', data: undefined, id: 'b' },
    ]);
  });

  it('keeps the id of an earlier block', () => {
    expect(blocksOf('id: a\n\ndata: x\n\n').at(-1)).to.deep.equal({ event: 'message', data: 'x', id: 'a' });
  });

  it('joins lines of data, and takes one space from the beginning of each', () => {
    expect(blocksOf('data:a\ndata:  b\ndata\n\n')).to.deep.equal([
      { event: 'message', data: 'a\n b\n', id: '' },
    ]);
  });

  it('passes over comments, unknown fields, ids with a zero, and blocks that say nothing', () => {
    expect(blocksOf(': hello\n\nfield: x\n\n\n\nid: a\0b\ndata: 1\n\n')).to.deep.equal([
      { event: 'message', data: '1', id: '' },
    ]);
  });

  it('tells nothing of a block without its end', () => {
    expect(blocksOf('data: 1\n\ndata: 2\n')).to.have.length(1);
  });

  it('knows the time after which to connect again, as told last', () => {
    const parser = new EventStreamParser(() => undefined);
    parser.push('retry: 100\n\nretry: 2183\nretry: soon\n');
    expect(parser.retryMs).to.equal(2183);
  });

  it('reads the same from pieces of any size', () => {
    const aLine = fc.oneof(
      fc.constantFrom('', '', 'data: x', 'data', 'id: 7', 'id:', 'event: changes', ': no', 'retry: 5', 'x'),
      fc.string({ unit: fc.constantFrom('d', 'a', 't', ':', ' ', '\0', 'ü', '🎮') }),
    );
    const anEnd = fc.constantFrom('\n', '\r\n', '\r');
    const aText = fc.array(fc.tuple(aLine, anEnd), { maxLength: 30 }).map((all) => all.flat().join(''));
    fc.assert(
      fc.property(aText, fc.array(fc.nat({ max: 12 })), (text, sizes) => {
        const pieces: string[] = [];
        let at = 0;
        for (const size of sizes) pieces.push(text.slice(at, (at += size)));
        expect(blocksOf(...pieces, text.slice(at))).to.deep.equal(blocksOf(text));
      }),
      { numRuns: runs(300) },
    );
  });

  it('reads an event of many MB in small pieces in time that grows with its size alone', () => {
    const data = 'x'.repeat(20_000_000);
    const pieces = ['data: ', ...(data.match(/.{1,997}/gs) ?? []), '\n\n'];
    const begunAt = process.cpuUsage();
    expect(blocksOf(...pieces)[0]?.data).to.have.length(data.length);
    // 20,000 pieces: looking at all of them for each one would take a minute.
    expect(process.cpuUsage(begunAt).user).to.be.below(5_000_000);
  });
});
