import { expect } from 'chai';
import { createPageHeaders } from '../../../src/page/served/page-headers.ts';

function connectionsOf(beaconUrls: readonly string[]): string | undefined {
  const { 'Content-Security-Policy': policy } = createPageHeaders([], beaconUrls)(false);
  return String(policy)
    .split('; ')
    .find((rule) => rule.startsWith('connect-src'));
}

describe('the policy of the page', () => {
  it('lets the page ask its service alone', () => {
    expect(connectionsOf([])).to.equal("connect-src 'self'");
  });

  it('lets the page also ask the origin of each beacon', () => {
    const urls = ['https://fra.example.com/a', 'https://fra.example.com/b', 'http://nyc.example.com:8080/'];
    expect(connectionsOf(urls)).to.equal(
      "connect-src 'self' https://fra.example.com http://nyc.example.com:8080",
    );
  });
});
