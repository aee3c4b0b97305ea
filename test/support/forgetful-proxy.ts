/** Stands between a replica and Redis, and can lose an answer together with the connection. */

import { connect, createServer, type AddressInfo } from 'node:net';

export interface ForgetfulProxy {
  readonly port: number;
  /** The next answer of Redis does not arrive: the connection breaks instead. */
  loseNextAnswer(): void;
  close(): Promise<void>;
}

export async function startForgetfulProxy(redisPort: number): Promise<ForgetfulProxy> {
  let forgets = false;
  const server = createServer((client) => {
    const redis = connect(redisPort, '127.0.0.1');
    client.pipe(redis);
    redis.on('data', (answer) => {
      if (!forgets) return void client.write(answer);
      forgets = false;
      return void client.destroy();
    });
    client.on('close', () => redis.destroy());
    redis.on('close', () => client.destroy());
    for (const socket of [client, redis]) socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    loseNextAnswer() {
      forgets = true;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
