import { expect } from 'chai';
import { exampleOf, questionOf } from '../../../src/page/missing/question.ts';

describe('the question of a person whose server is missing', () => {
  it('has what was typed, and nothing that was not', () => {
    expect(questionOf('play.example.com:7777', '')).to.deep.equal({
      server_host: 'play.example.com',
      server_port: 7777,
    });
    expect(questionOf('7777', '  ')).to.deep.equal({ server_port: 7777 });
    expect(questionOf('', ' an-id\u200b ')).to.deep.equal({ server_id: 'an-id' });
    expect(questionOf('play.example.com', 'an-id')).to.deep.equal({
      server_host: 'play.example.com',
      server_id: 'an-id',
    });
  });

  it('needs a port or an id, and an address that can be read', () => {
    expect(questionOf('', '')).to.equal(undefined);
    expect(questionOf('play.example.com', '')).to.equal(undefined);
    expect(questionOf('my server', 'an-id')).to.equal(undefined);
  });

  it('has an example that is made of what was typed', () => {
    expect(exampleOf('')).to.equal('play.example.com:7777');
    expect(exampleOf('203.0.113.7')).to.equal('203.0.113.7:7777');
    expect(exampleOf('2001:db8::7')).to.equal('[2001:db8::7]:7777');
    expect(exampleOf('my server')).to.equal('play.example.com:7777');
  });
});
