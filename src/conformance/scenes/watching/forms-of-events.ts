import type { Act, ChangesEvent, Scene } from '../../scene.ts';

const KNOWN = ['B', 'C', 'D', 'E', 'F'];

/** A server comes, in this form and behind these lines. */
const comes = (name: string, raw: string, form: Partial<ChangesEvent>, packets?: number): readonly Act[] => {
  const changes = { ids: [name], tag: name, each: { name: `東京 \u{1f3ae} ${name}` } };
  return [
    { send: [{ raw }, { changes, ...form }], ...(packets !== undefined && { packets }) },
    {
      servers: KNOWN.slice(0, KNOWN.indexOf(name) + 1),
      called: { [name]: `東京 \u{1f3ae} ${name}` },
    },
  ];
};

export const formsOfEvents: Scene = {
  name: 'forms-of-events',
  needs: ['watch', 'stream'],
  rule: 'Events are read in every form that they may have, and those that it does not know are ignored.',
  proves: ['docs/write-a-client.md', 'Unknown events are ignored'],
  acts: [
    { watch: '' },
    {
      get: '/changes',
      answer: { stream: [{ raw: ':\n\n' }, { changes: { ids: [], full: true, tag: 'A' } }] },
    },
    { servers: [] },
    ...comes('B', ': a comment\n\nevent: weather\ndata: fine\n\n', { lineEnd: '\r\n' }),
    ...comes('C', 'event: weather\r\rdata: {"servers":7}\r\r', { lineEnd: '\r' }),
    ...comes('D', 'retry: soon\nmood: good\nmood\n\ndata\n\n', { form: 'lines' }, 7),
    ...comes('E', '\n\n\n:\n', { form: 'lines', lineEnd: '\r\n' }, 1),
    ...comes('F', '', { form: 'tight' }),
    {
      send: [
        {
          changes: {
            ids: ['F'],
            removed: ['B'],
            tag: 'G',
            each: { name: 'Oslo', mood: { is: [1, null] } },
            also: { status: 'success', weather: 'fine' },
          },
        },
      ],
    },
    { servers: ['C', 'D', 'E', 'F'], called: { F: 'Oslo' } },
    { end: 'well' },
    { get: '/changes', after: [500, 1000], at: 'G', answer: { stream: [{ bookmark: 'G' }] } },
    { stop: {} },
  ],
};
