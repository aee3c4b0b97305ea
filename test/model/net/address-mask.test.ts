/** How much of a client's address is written down. */

import { expect } from 'chai';
import { createAddressMask, createTextMask, maskAddress } from '../../../src/model/net/address-mask.ts';
import { parseIp } from '../../../src/model/net/ip.ts';

const MASKED: Readonly<Record<string, string>> = {
  '203.0.113.7': '203.0.113.0/24',
  '203.0.113.255': '203.0.113.0/24',
  '0.0.0.0': '0.0.0.0/24',
  '::ffff:203.0.113.7': '203.0.113.0/24',
  '2001:db8:1:2:3:4:5:6': '2001:db8:1::/48',
  '2001:db8:1::': '2001:db8:1::/48',
  '2001:db8::1': '2001:db8::/48',
  '2001::1:2:3': '2001::/48',
  '2001:0:1:2:3:4:5:6': '2001:0:1::/48',
  '::1': '::/48',
  '::': '::/48',
  '64:ff9b::203.0.113.7': '64:ff9b::/48',
  '::203.0.113.7': '::/48',
  '0:0:0:1:2:3:4:5': '::/48',
};

describe('the address of a client', () => {
  for (const [address, masked] of Object.entries(MASKED))
    it(`${address} is masked as ${masked}`, () => {
      expect(maskAddress(parseIp(address)!)).to.equal(masked);
    });

  it('is written in full, masked or not at all, and never where it is not known', () => {
    const shown = (['full', 'masked', 'none'] as const).map((detail) => createAddressMask(detail));
    expect(shown.map((mask) => mask('203.0.113.7'))).to.deep.equal([
      '203.0.113.7',
      '203.0.113.0/24',
      undefined,
    ]);
    expect(shown.map((mask) => mask(''))).to.deep.equal([undefined, undefined, undefined]);
  });
});

describe('a text with addresses', () => {
  const TEXTS: Readonly<Record<string, string>> = {
    'server_ip is 10.0.0.5, but the request came from 203.0.113.7: send':
      'server_ip is 10.0.0.0/24, but the request came from 203.0.113.0/24: send',
    'no answer on UDP 203.0.113.7:7777 within 3 s': 'no answer on UDP 203.0.113.0/24:7777 within 3 s',
    'no answer on TCP [2001:db8::7]:7777.': 'no answer on TCP [2001:db8::/48]:7777.',
    'it came from 2001:db8:1:2::7: send': 'it came from 2001:db8:1::/48: send',
    'it is 2001:db8:1:: or ::ffff:203.0.113.7.': 'it is 2001:db8:1::/48 or 203.0.113.0/24.',
    'a limit of 10 in 1.5 s: face, 3:4, ...': 'a limit of 10 in 1.5 s: face, 3:4, ...',
  };
  for (const [text, masked] of Object.entries(TEXTS))
    it(`"${text}" is masked as "${masked}"`, () => {
      expect(createTextMask('masked')(text)).to.equal(masked);
    });

  it('names none where none may be written, and stays as it is where all may', () => {
    const text = 'from 203.0.113.7 or [2001:db8::7]:80';
    expect(createTextMask('none')(text)).to.equal('from (address) or [(address)]:80');
    expect(createTextMask('full')(text)).to.equal(text);
  });
});
