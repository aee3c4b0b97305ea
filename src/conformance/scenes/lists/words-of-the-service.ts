import type { Scene } from '../../scene.ts';

export const wordsOfTheService: Scene = {
  name: 'words-of-the-service',
  needs: ['list', 'find'],
  rule: 'An error ends list and find with the words of the service, in printable characters, and without a second try.',
  proves: ['docs/write-a-client.md', 'ends `list` and `find` with the words of the service'],
  acts: [
    { list: true },
    { get: '/', answer: { refuse: 'unauthorized' } },
    { failed: /a valid key is needed/ },
    { find: 'mapp=de_dust2' },
    {
      get: '/servers',
      answer: { refuse: 'invalid_query', says: 'there is no parameter mapp: did you mean map?' },
    },
    { failed: /there is no parameter mapp: did you mean map\?/ },
    { list: true },
    { get: '/', answer: { refuse: 'rate_limited', retryAfter: 7, says: 'slower\u001b[2J please\r\n' } },
    { failed: /slower.*please/ },
    { list: true },
    { get: '/', answer: { refuse: 'registry_unavailable', retryAfter: 1, says: 'the registry is away' } },
    { failed: /the registry is away/ },
    { nothing: 300 },
    { list: true },
    { get: '/', answer: { servers: { ids: ['A'] } } },
    { servers: ['A'] },
  ],
};
