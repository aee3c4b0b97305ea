/** The headers of a heartbeat of DDNet: what is taken, and in which words the rest is refused. */

import { expect } from 'chai';
import { parseRegistration, RegisterError } from '../../../src/protocols/ddnet/registration.ts';

const USUAL = {
  address: 'tw-0.6+udp://connecting-address.invalid:8303',
  secret: 'b4e66c34-1234-4d0c-9d9a-0123456789ab',
  'challenge-secret': 'c0ffee00-1234-4d0c-9d9a-0123456789ab:tw0.6/ipv4',
  'info-serial': '3',
};

function refusalOf(headers: Readonly<Record<string, string | undefined>>): string {
  try {
    parseRegistration({ ...USUAL, ...headers });
  } catch (error) {
    expect(error).to.be.instanceOf(RegisterError);
    return `${(error as RegisterError).status} ${(error as RegisterError).message}`;
  }
  return 'taken';
}

describe('the headers of a heartbeat of DDNet', () => {
  it('are read as the game server sends them', () => {
    expect(parseRegistration({ ...USUAL, 'content-type': 'application/json' })).to.deep.equal({
      action: 'register',
      address: { scheme: 'tw-0.6+udp', port: 8303 },
      secret: USUAL.secret,
      connlessToken: undefined,
      challengeSecret: USUAL['challenge-secret'],
      challengeToken: undefined,
      infoSerial: 3,
      isJson: true,
    });
  });

  it('have a token for packets without a connection where the game server is of 0.7', () => {
    const address = 'tw-0.7+udp://connecting-address.invalid:8303';
    expect(parseRegistration({ ...USUAL, address, 'connless-token': '0A1b2c3d' }))
      .to.have.property('connlessToken')
      .that.deep.equals(Buffer.from([0x0a, 0x1b, 0x2c, 0x3d]));
    expect(refusalOf({ address })).to.equal(
      '400 registering with tw-0.7+udp:// requires header Connless-Token',
    );
    for (const token of ['', '0a1b2c3', '0a1b2c3d4e', 'xyzwxyzw'])
      expect(refusalOf({ address, 'connless-token': token })).to.match(
        /^400 invalid hex in Connless-Request-Token: /,
      );
    expect(refusalOf({ 'connless-token': 'of no use for 0.6' })).to.equal('taken');
  });

  it('need no more than address and secret to sign off', () => {
    const { address, secret } = USUAL;
    expect(parseRegistration({ action: 'delete', address, secret })).to.deep.equal({
      action: 'delete',
      address: { scheme: 'tw-0.6+udp', port: 8303 },
      secret,
    });
    expect(refusalOf({ action: 'Delete' })).to.match(/^400 Unknown Action header value "Delete"/);
  });

  it('are refused where one is missing', () => {
    for (const name of ['Address', 'Secret', 'Challenge-Secret', 'Info-Serial'])
      expect(refusalOf({ [name.toLowerCase()]: undefined })).to.equal(`400 missing required header ${name}`);
  });

  const BAD_ADDRESSES: readonly (readonly [address: string, why: string])[] = [
    ['8303', 'URL parse error: relative URL without a base'],
    ['tw-0.6+udp://connecting-address.invalid:65536', 'URL parse error: relative URL without a base'],
    [
      'https://connecting-address.invalid:8303',
      'protocol parse error: protocol must be one of tw-0.5+udp, tw-0.6+udp or tw-0.7+udp',
    ],
    ['tw-0.6+udp://192.0.2.1:8303', 'register address must have domain connecting-address.invalid'],
    [
      'tw-0.6+udp://connecting-address.invalid.:8303',
      'register address must have domain connecting-address.invalid',
    ],
    ['tw-0.6+udp://connecting-address.invalid', 'register address must specify port'],
    ['tw-0.6+udp://connecting-address.invalid:0', "register port can't be 0"],
  ];
  for (const [address, why] of BAD_ADDRESSES)
    it(`are refused with the address ${address}`, () => {
      expect(refusalOf({ address })).to.equal(`400 invalid header Address: ${why}`);
    });

  it('may have an address that is written as any URL', () => {
    for (const address of [
      'TW-0.6+UDP://connecting-address.invalid:08303/x?y#z',
      'tw-0.5+udp://u:p@connecting-address.invalid:1',
    ])
      expect(refusalOf({ address })).to.equal('taken');
  });

  it('are refused where a text is longer than 64 bytes, or not of visible ASCII', () => {
    for (const name of ['Secret', 'Challenge-Secret', 'Challenge-Token']) {
      const header = name.toLowerCase();
      expect(refusalOf({ [header]: 'x'.repeat(64) })).to.equal('taken');
      expect(refusalOf({ [header]: 'x'.repeat(65) })).to.equal(
        `400 invalid header ${name}: insufficient capacity`,
      );
      expect(refusalOf({ [header]: 'x\u00ff' })).to.match(new RegExp(`^400 invalid header ${name}: `));
    }
  });

  it('have a whole number as the serial of the info', () => {
    for (const serial of ['-1', '0', '+7', '2147483648'])
      expect(refusalOf({ 'info-serial': serial })).to.equal('taken');
    const refused: Readonly<Record<string, string>> = {
      '': 'cannot parse integer from empty string',
      x: 'invalid digit found in string',
      '1.5': 'invalid digit found in string',
      '1e3': 'invalid digit found in string',
      '9999999999999999999': 'number too large to fit in target type',
      '-9999999999999999999': 'number too small to fit in target type',
    };
    for (const [serial, why] of Object.entries(refused))
      expect(refusalOf({ 'info-serial': serial })).to.equal(`400 invalid header Info-Serial: ${why}`);
  });

  it('say JSON with or without parameters', () => {
    for (const type of ['application/json', 'Application/JSON; charset=utf-8'])
      expect(parseRegistration({ ...USUAL, 'content-type': type })).to.have.property('isJson', true);
    for (const type of ['', 'application/json5', 'text/plain', 'x application/json'])
      expect(parseRegistration({ ...USUAL, 'content-type': type })).to.have.property('isJson', false);
  });
});
