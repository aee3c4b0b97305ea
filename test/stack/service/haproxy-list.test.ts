import { describeHaproxy, HOSTS } from '../../support/describe-haproxy.ts';

describeHaproxy('with a list of replicas', (_dns, port) =>
  Object.fromEntries(HOSTS.map((host, index) => [`REPLICA_${index + 1}`, `${host}:${port}`])),
);
