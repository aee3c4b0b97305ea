import type { Scene } from '../../scene.ts';

export const certificateForAReader: Scene = {
  name: 'certificate-for-a-reader',
  needs: ['list', 'find', 'key', 'tls'],
  rule: 'A reader tells its key to no service whose certificate is wrong.',
  proves: ['docs/write-a-client.md', 'takes any certificate: for a test at home'],
  listens: 'https',
  key: 'for-readers',
  acts: [{ list: true }, { failed: /[a-z]{2}/i }, { find: 'region=eu' }, { failed: /[a-z]{2}/i }],
};
