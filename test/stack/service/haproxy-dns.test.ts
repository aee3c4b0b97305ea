import { describeHaproxy } from '../../support/describe-haproxy.ts';

describeHaproxy('with a DNS server', (dns, port) => ({
  RESOLVER: dns.address,
  REPLICAS: `gsls.test:${port}`,
}));
