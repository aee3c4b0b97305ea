import { expect } from 'chai';
import { whyWrong } from '../../../src/protocols/luanti/address.ts';

describe('the address that a Luanti server announces', () => {
  for (const address of [
    'play.example.pizza',
    'PLAY.Example.Pizza',
    'xn--bcher-kva.example',
    '1.2.3.4.sslip.io',
    '198.51.100.7',
    '2001:db8::7',
    '::1',
    'mt.home.local',
  ])
    it(`may be ${address}`, () => {
      expect(whyWrong(address, false)).to.equal(undefined);
    });

  for (const [address, words] of [
    ['game.minetest.net', 'example value'],
    ['game.example.net', 'example value'],
    ['Game.Example.ORG', 'example value'],
    ['example', 'not valid'],
    ['localhost', 'not valid'],
    ['127.1', 'not valid'],
    ['2130706433', 'not valid'],
    ['300.1.1.1', 'not valid'],
    ['224.0.0.1', 'not valid'],
    ['239.255.255.250', 'not valid'],
    ['169.254.169.254', 'not valid'],
    ['fe80::1', 'not valid'],
    ['ff02::1', 'not valid'],
    ['fe80::1%eth0', 'not valid'],
    ['a.example/', 'not valid'],
    ['user@a.pizza', 'not valid'],
    ['a b.pizza', 'not valid'],
    ['-a.pizza', 'not valid'],
    ['a.pizza\0', 'not valid'],
    ['.pizza', 'not valid'],
    ['a.pizza.', 'not valid'],
    [`${'a'.repeat(250)}.com`, 'not valid'],
    ['a.pizza:30000', 'without a port'],
    ['1.2.3.4:30000', 'without a port'],
    ['[::1]:30000', 'without a port'],
    ['bücher.pizza', 'punycode'],
  ] as const)
    it(`is refused as ${words}: ${JSON.stringify(address)}`, () => {
      expect(whyWrong(address, false)).to.include(words);
    });

  for (const address of ['localhost', 'a.localhost', 'mt.home.local', 'redis.internal'])
    it(`is private where addresses must be public: ${address}`, () => {
      expect(whyWrong(address, true)).to.include('private or local');
    });
});
