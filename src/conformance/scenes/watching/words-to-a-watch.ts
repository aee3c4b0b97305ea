import type { Scene } from '../../scene.ts';

export const wordsToAWatch: Scene = {
  name: 'words-to-a-watch',
  needs: ['watch'],
  rule: 'A watch tells an error in its query or key in the words of the service, and asks again after 30 s at the most.',
  proves: ['docs/write-a-client.md', '`watch` logs them, and asks again after 30 s at the most'],
  acts: [
    { watch: 'mapp=x' },
    {
      get: '/changes',
      answer: { refuse: 'invalid_query', says: 'there is no parameter mapp: did you mean map?' },
    },
    {
      get: '/changes',
      after: [500, 30_000],
      answer: { refuse: 'unauthorized', says: 'this key is not known' },
    },
    {
      get: '/changes',
      after: [500, 30_000],
      answer: { servers: { ids: ['A'], full: true, tag: '1' } },
    },
    { servers: ['A'] },
    { logged: /there is no parameter mapp: did you mean map\?/ },
    { logged: /this key is not known/ },
    { stop: {} },
  ],
};
