import { expect } from 'chai';
import { createProbeRule } from '../../../src/api/reachability/probe-rule.ts';

const OWN = '203.0.113.7';

describe('the rule of what may be probed', () => {
  const rule = createProbeRule({
    isNamed: (ip) => ip.startsWith('10.1.'),
    isPublic: (ip) => ip.startsWith('203.0.113.') || ip.startsWith('2001:db8:'),
  });
  const reasonOf = (ip: string, port: number, clientAddress: string) =>
    rule({ ip, port }, clientAddress)?.reason;

  it("allows the client's own public address, IPv4 and IPv6", () => {
    expect(reasonOf(OWN, 7777, OWN)).to.equal(undefined);
    expect(reasonOf('2001:db8::1', 7777, '2001:db8::1')).to.equal(undefined);
  });

  it('refuses an address that is not the one of the client, and names both', () => {
    expect(rule({ ip: OWN, port: 7777 }, '203.0.113.8')).to.deep.equal({
      reason: 'other_address',
      words: '203.0.113.7 is not tried: the request came from 203.0.113.8',
    });
    expect(rule({ ip: OWN, port: 7777 }, '')?.words).to.equal(
      '203.0.113.7 is not tried: the request came from another address',
    );
  });

  it('refuses an address that is not public, also when it is the one of the client', () => {
    for (const ip of ['127.0.0.1', '::1', '192.168.0.5', '169.254.169.254', 'fe80::1', '224.0.0.1'])
      expect(reasonOf(ip, 7777, ip)).to.equal('special_address');
  });

  it('allows the addresses that the operator names, whichever client announces them', () => {
    expect(reasonOf('10.1.2.3', 7777, OWN)).to.equal(undefined);
    expect(reasonOf('10.2.2.3', 7777, '10.2.2.3')).to.equal('special_address');
  });

  it('refuses the ports below 1024 but 80 and 443, also of addresses that the operator names', () => {
    for (const port of [1, 22, 25, 53, 123, 1023])
      for (const ip of [OWN, '10.1.2.3']) expect(reasonOf(ip, port, OWN)).to.equal('well_known_port');
    for (const port of [80, 443, 1024, 65_535]) expect(reasonOf(OWN, port, OWN)).to.equal(undefined);
    expect(rule({ ip: OWN, port: 25 }, OWN)?.words).to.equal(
      'port 25 is not tried: of the ports below 1024 only 80 and 443 are',
    );
  });
});
