import type { Scene } from '../../scene.ts';

export const wrongCertificate: Scene = {
  name: 'wrong-certificate',
  needs: ['announce', 'tls'],
  rule: 'A certificate that nobody trusts is refused.',
  proves: ['docs/write-a-client.md', 'takes any certificate'],
  listens: 'https',
  acts: [{ start: { failsFor: 10_000 } }, { stop: {} }],
};
