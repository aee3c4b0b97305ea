/** Flags and variables that are refused, each with one line that says what is wrong. */

import { expect } from 'chai';
import { OPTIONS } from '../../../src/service/config/options.ts';
import { complaintOf, configOf } from './config-of.ts';

const URL = 'https://fra.example.com';
const beacon = (said: object): string => JSON.stringify({ fra: { url: URL, ...said }, nyc: URL });
const LATENCY = 'must have as latency of fra how far other beacons are, 0 to 2000 ms, as in {"nyc": 82}';

const BEACONS: readonly (readonly [variable: string, text: string, rest: string])[] = [
  ...['fra', '[]', '3', '{"fra":'].map((text) => [
    text,
    'must be beacons by their ids, as in {"fra": {"url": "https://fra.example.com"}}',
  ]),
  ...['Fra', 'f_r', '', 'x'.repeat(17)].map((id) => [
    JSON.stringify({ [id]: URL }),
    `must have ids of 1 to 16 small letters, digits and dashes, not "${id}"`,
  ]),
  [
    JSON.stringify(Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`b${n}`, URL]))),
    'must name at most 16 beacons',
  ],
  ...['ftp://a', 'https://u:p@a', 'fra', '', null, 7, `https://a/${'x'.repeat(600)}`].map((url) => [
    beacon({ url }),
    'must have as url of fra one like https://fra.example.com',
  ]),
  [beacon({ lat: 3 }), 'has "lat" for fra: a beacon has url, place and latency'],
  ...['', 'x'.repeat(65), 'a\u202eb', 7].map((place) => [
    beacon({ place }),
    'must have as place of fra a text of 1 to 64 characters',
  ]),
  ...[{ fra: 1 }, { mars: 1 }, { nyc: -1 }, { nyc: 2001 }, { nyc: 'far' }, { nyc: null }, 'near', [1]].map(
    (latency) => [beacon({ latency }), LATENCY],
  ),
].map(([text, rest]) => ['GSLS_BEACONS', text!, rest!] as const);

describe('a refused option', () => {
  const REFUSED: readonly (readonly [variable: string, text: string, rest: string])[] = [
    ...['-1', '65536', '1.5', '0x10', ' 80', '80 ', '1e3', 'http'].map(
      (text) => ['GSLS_PORT', text, `must be an integer from 0 to 65535, not "${text}"`] as const,
    ),
    [
      'GSLS_PORT',
      'tcp://10.0.0.1:53600',
      'is set by Kubernetes for a Service named gsls: set enableServiceLinks: false in the pod',
    ],
    ['GSLS_HOST', 'http://x', 'must be an address or a host name, not "http://x"'],
    ['GSLS_HOST', 'a b', 'must be an address or a host name, not "a b"'],
    ['GSLS_OPS_PORT', '65536', 'must be an integer from 0 to 65535, not "65536"'],
    [
      'GSLS_OPS_PORT',
      'tcp://10.0.0.1:53601',
      'is set by Kubernetes for a Service named gsls-ops: set enableServiceLinks: false in the pod',
    ],
    ['GSLS_OPS_HOST', 'http://x', 'must be an address or a host name, not "http://x"'],
    ['GSLS_BEACON_PORT', '65536', 'must be an integer from 0 to 65535, not "65536"'],
    ...BEACONS,
    ...['0', '257', '-1', '1.5', 'all', ''.padEnd(1)].map(
      (text) => ['GSLS_WORKERS', text, `must be auto or an integer from 1 to 256, not "${text}"`] as const,
    ),
    ...[' ', 'doom', 'ddnet;luanti', 'ddnet,', 'DDNET'].map(
      (text) =>
        [
          'GSLS_PROTOCOLS',
          text,
          `must be some of ddnet, luanti with commas between them, not "${text}"`,
        ] as const,
    ),
    [
      'GSLS_MAX_PROTOCOL_BYTES_PER_ADDRESS',
      '1000',
      'must be an integer from 32768 to 1099511627776 (bytes), not "1000"',
    ],
    ...['-1', '2592001', '1.5', 'day'].map(
      (text) =>
        ['GSLS_KEEP_ID', text, `must be an integer from 0 to 2592000 (seconds), not "${text}"`] as const,
    ),
    ['GSLS_KEY', ' ', 'must not be empty'],
    ['GSLS_KEY', ' secret', 'must not begin or end with a space or hold control characters'],
    ['GSLS_KEY', 'secret\n', 'must not begin or end with a space or hold control characters'],
    ['GSLS_KEY', 'sec\u0000ret', 'must not begin or end with a space or hold control characters'],
    ['GSLS_PROXY_PROTOCOL', 'v1', 'must be true or false, not "v1"'],
    ['GSLS_PUBLIC_READ', 'maybe', 'must be true or false, not "maybe"'],
    ['GSLS_ALLOW_UNLISTED', 'maybe', 'must be true or false, not "maybe"'],
    ['GSLS_ADMIN_KEY', ' ', 'must not be empty'],
    ['GSLS_ADMIN_KEY', 'sec\u0000ret', 'must not begin or end with a space or hold control characters'],
    ...['a b', 'a}', 'x'.repeat(65)].map(
      (text) =>
        [
          'GSLS_REGISTRY',
          text,
          `must be 1 to 64 letters, digits, dots, dashes or underscores, not "${text}"`,
        ] as const,
    ),
    ...[':6379', 'host:', 'host:0', 'host:65536', 'a,,b', 'a;b', '::1', '[::1', '[12]', 'redis://h'].flatMap(
      (text) => [
        ['GSLS_REDIS_SENTINEL', text, 'must be like host:26379, several separated by commas'] as const,
        ['GSLS_REDIS_CLUSTER', text, 'must be like host:6379, several separated by commas'] as const,
      ],
    ),
    ['GSLS_TRUST_PROXY', '10.0.0.0/33', 'must hold prefixes from 0 to 32 bits, not "10.0.0.0/33"'],
    [
      'GSLS_TRUST_PROXY',
      '10.0.0.1/8',
      'must hold no network with bits set behind its prefix: write 10.0.0.0/8',
    ],
    ['GSLS_TRUST_PROXY', 'proxy.example', 'must hold networks such as 10.0.0.0/8, addresses or loopback'],
    ['GSLS_CLIENT_ADDRESS_HEADER', 'X Real', 'must be the name of a header, not "X Real"'],
    ['GSLS_CLIENT_ADDRESS_HEADER', 'X-Real-IP:', 'must be the name of a header, not "X-Real-IP:"'],
    ['GSLS_VERIFY_SOURCE', 'maybe', 'must be true or false, not "maybe"'],
    ['GSLS_PUBLIC_ADDRESSES_ONLY', 'maybe', 'must be true or false, not "maybe"'],
    ['GSLS_REQUIRE_SERVER_TOKEN', 'maybe', 'must be true or false, not "maybe"'],
    ['GSLS_TOKEN_SECRET', 'fifteen letters', 'must have at least 16 characters'],
    ['GSLS_TOKEN_SECRET', ' 16 letters and more', 'must not begin or end with a space or hold control'],
    ['GSLS_REGISTRY_INDEX', 'perhaps', 'must be true or false, not "perhaps"'],
    ['GSLS_TOTAL_SERVERS', '0', 'must be an integer from 1 to 1000000000, not "0"'],
    ['GSLS_TOTAL_STREAMS', '0', 'must be an integer from 1 to 10000000, not "0"'],
    ['GSLS_MAX_SERVERS', '0', 'must be an integer from 1 to 1000000000, not "0"'],
    ['GSLS_MAX_SERVERS_PER_ADDRESS', '-1', 'must be an integer from 1 to 1000000000, not "-1"'],
    ['GSLS_QUOTA_EXEMPT', 'home', 'must hold networks such as 10.0.0.0/8, addresses or loopback'],
    ['GSLS_REDIS_MASTER', 'my master', 'must be 1 to 64 letters, digits, dots, dashes or underscores'],
    ['GSLS_REDIS_DATABASE', '-1', 'must be an integer from 0 to 99999, not "-1"'],
    ['GSLS_REDIS_USER', 'a b', 'must be the name of a user, without spaces'],
    ['GSLS_REDIS_SENTINEL_USER', 'a\tb', 'must be the name of a user, without spaces'],
    ['GSLS_REDIS_PASSWORD', 'a\n', 'must not hold control characters'],
    ['GSLS_REDIS_SENTINEL_PASSWORD', '\u0000', 'must not hold control characters'],
    ['GSLS_REDIS_TLS', 'rediss', 'must be true or false, not "rediss"'],
    ['GSLS_REDIS_SERVER_NAME', '10.0.0.5', 'must be a host name, not "10.0.0.5"'],
    ['GSLS_REDIS_SERVER_NAME', 'a b', 'must be a host name, not "a b"'],
    ['GSLS_TTL', '2', 'must be an integer from 3 to 86400 (seconds), not "2"'],
    ['GSLS_TTL', '86401', 'must be an integer from 3 to 86400 (seconds), not "86401"'],
    ['GSLS_TTL', '60s', 'must be an integer from 3 to 86400 (seconds), not "60s"'],
    ['GSLS_UNIQUE_ADDRESS', 'maybe', 'must be true or false, not "maybe"'],
    ['GSLS_VERIFY', 'udp', 'must be one of tcp, http, a2s, quake3, not "udp"'],
    ['GSLS_VERIFY_NETWORKS', '10.0.0.0/33', 'must hold prefixes from 0 to 32 bits, not "10.0.0.0/33"'],
    ...['0.0.0.0/0', '128.0.0.0/1', '::/0', '::/2'].map(
      (text) =>
        [
          'GSLS_VERIFY_NETWORKS',
          `loopback, ${text} ,10.0.0.1`,
          `must hold no network larger than /8, or /3 of IPv6, not "${text}"`,
        ] as const,
    ),
    ['GSLS_UNVERIFIED', 'true', 'must be one of hide, show, not "true"'],
    ['GSLS_PLAYERS_SEEN', 'maybe', 'must be true or false, not "maybe"'],
    ['GSLS_NO_MASS_EXPIRY_HOLD', 'maybe', 'must be true or false, not "maybe"'],
    ['GSLS_NO_WRITE_BACK', 'maybe', 'must be true or false, not "maybe"'],
    ['GSLS_MAX_BODY', '1023', 'must be an integer from 1024 to 1048576 (bytes), not "1023"'],
    ['GSLS_MAX_BODY', '1048577', 'must be an integer from 1024 to 1048576 (bytes), not "1048577"'],
    ['GSLS_MAX_WAITING', '1M', 'must be an integer from 1048576 to 1099511627776 (bytes), not "1M"'],
    ['GSLS_MAX_WAITING', '0', 'must be an integer from 1048576 to 1099511627776 (bytes), not "0"'],
    ...['ping', 'ping=30', 'ping=30/d', 'ping=30m', 'ping=-1/m', 'ping=1.5/m', 'ping =30/m'].map(
      (text) =>
        [
          'GSLS_RATE_LIMIT',
          text,
          `must be like broadcast=30/m,ping=240/m,list=120/m, not "${text}"`,
        ] as const,
    ),
    ['GSLS_RATE_LIMIT', 'ping=30/m,', 'must be like broadcast=30/m,ping=240/m,list=120/m, not ""'],
    [
      'GSLS_RATE_LIMIT',
      'pings=30/m',
      'must limit broadcast, ping, remove, list, join, doctor, report, not "pings"; did you mean ping?',
    ],
    [
      'GSLS_RATE_LIMIT',
      'health=30/m',
      'must limit broadcast, ping, remove, list, join, doctor, report, not "health"',
    ],
    ['GSLS_RATE_LIMIT', 'ping=0/m', 'must allow 1 to 1000000000 requests, not "ping=0/m"'],
    ['GSLS_RATE_LIMIT', 'ping=1000000001/m', 'must allow 1 to 1000000000 requests, not "ping=1000000001/m"'],
    ['GSLS_RATE_LIMIT', 'ping=1/m,list=1/m,ping=2/s', 'must have one limit for ping, not two'],
    ['GSLS_SERVER_HISTORY_MOST', '-1', 'must be an integer from 0 to 1000000, not "-1"'],
    ['GSLS_SERVER_HISTORY_MOST', '1000001', 'must be an integer from 0 to 1000000, not "1000001"'],
    ['GSLS_MAX_STREAMS', '-1', 'must be an integer from 0 to 10000000, not "-1"'],
    ['GSLS_MAX_STREAMS_PER_ADDRESS', '0', 'must be an integer from 1 to 10000000, not "0"'],
    ['GSLS_FEED_INTERVAL', '0', 'must be an integer from 100 to 60000 (milliseconds), not "0"'],
    ['GSLS_MAX_CONNECTIONS', '0', 'must be an integer from 1 to 10000000, not "0"'],
    ['GSLS_MAX_CONNECTIONS_PER_ADDRESS', '0', 'must be an integer from 1 to 10000000, not "0"'],
    ['GSLS_NO_LOAD_SHEDDING', 'maybe', 'must be true or false, not "maybe"'],
    ['GSLS_MAX_STALE', '604801', 'must be an integer from 0 to 604800 (seconds), not "604801"'],
    ['GSLS_LIST_MAX_AGE', '60001', 'must be an integer from 0 to 60000 (milliseconds), not "60001"'],
    ...['example.com', 'https://example.com/', 'https://a.example, b', 'null', ','].flatMap((text) =>
      ['GSLS_CORS_ORIGIN', 'GSLS_CORS_WRITE_ORIGIN'].map(
        (variable) =>
          [variable, text, 'must be *, none, or origins like https://example.com, not "'] as const,
      ),
    ),
    ['GSLS_DPMASTER_PORT', '65536', 'must be an integer from 0 to 65535, not "65536"'],
    ['GSLS_DPMASTER_HOST', 'example.com', 'must be addresses separated by commas, not "example.com"'],
    ['GSLS_DPMASTER_HOST', '::1,::1', 'must name ::1 once'],
    ['GSLS_DPMASTER_GAMES', 'a,!b', 'must have a ! before each name, or before none'],
    ...['a b', ',', 'a\\b', 'x'.repeat(64)].map(
      (text) => ['GSLS_DPMASTER_GAMES', text, 'must be all, or names of games separated by commas'] as const,
    ),
    ['GSLS_DPMASTER_PROPERTIES', '; x', 'must begin with the name of a game, not ""'],
    ['GSLS_DPMASTER_PROPERTIES', Array(61).fill('a').join(';'), 'must have 60 games at most'],
    ...['heartbeat', 'heartbeat=', 'heartbeat=DarkPlaces', 'protocols=x', 'options=send', 'colour=red'].map(
      (text) =>
        [
          'GSLS_DPMASTER_PROPERTIES',
          `Warsow ${text}`,
          'must have properties like heartbeat=Warsow, flatline=Ended, protocols=10,11 or options=',
        ] as const,
    ),
    ['GSLS_NO_PAGE', 'maybe', 'must be true or false, not "maybe"'],
    ['GSLS_PAGE_REDIRECT', 'maybe', 'must be true or false, not "maybe"'],
    ...[' ', 'a\u202eb', 'a\nb', 'x'.repeat(81)].map(
      (text) =>
        [
          'GSLS_PAGE_TITLE',
          text,
          'must be a text of 1 to 80 characters, some of them visible and none a control',
        ] as const,
    ),
    ...[' ', 'a\u202eb', 'a\u2067b', 'a\u2028b', 'a\tb', '\u0000a', '\ud800', 'x'.repeat(201)].map(
      (text) =>
        [
          'GSLS_PAGE_NOTICE',
          text,
          'must be a text of 1 to 200 characters, some of them visible and none a control',
        ] as const,
    ),
    ...['a,,b', 'x'.repeat(41), 'a\nb', 'a\u202eb'].map(
      (text) =>
        [
          'GSLS_PAGE_META_FILTERS',
          text,
          'must be a text of 1 to 40 characters, some of them visible and none a control',
        ] as const,
    ),
    ...['eu', 'eu=Europe,', '=Europe', ' =Europe'].map((text) => {
      const wrong = text.split(',').at(-1)!;
      const rest = `must be regions and their names, as in eu=Europe,us-west=US West, not "${wrong}"`;
      return ['GSLS_PAGE_REGIONS', text, rest] as const;
    }),
    ...['eu=', 'eu=  ', `eu=${'x'.repeat(41)}`, 'eu=a\nb', 'eu=a\u202eb'].map(
      (text) =>
        [
          'GSLS_PAGE_REGIONS',
          text,
          'must be a text of 1 to 40 characters, some of them visible and none a control',
        ] as const,
    ),
    ['GSLS_PAGE_REGIONS', 'eu=A,na=B,eu=C', 'names the region "eu" twice'],
    [
      'GSLS_PAGE_REGIONS',
      Array.from({ length: 51 }, (_, n) => `r${n}=R`).join(),
      'must name at most 50 regions, not 51',
    ],
    ...[
      'list.example',
      'ftp://list.example',
      'javascript:a()',
      'https://',
      'https://a:b@list.example',
      'https://:b@list.example',
      'https://list.example/games?',
      'https://list.example?x',
      'https://list.example#x',
    ].map(
      (text) =>
        ['GSLS_PUBLIC_URL', text, `must be a URL like https://servers.example.com, not "${text}"`] as const,
    ),
    ['GSLS_PAGE_META_FILTERS', 'a,b,c,d,e,f', 'must name at most 5 keys of meta, not 6'],
    ...['{ip}:{port}', '//game/{ip}', '1game://{ip}', ' steam://{ip}', 'game //{ip}'].map(
      (text) =>
        ['GSLS_PAGE_CONNECT', text, 'must begin with a scheme, as in steam://connect/{ip}:{port}'] as const,
    ),
    ...['javascript', 'JavaScript', 'data', 'vbscript', 'file', 'blob', 'about', 'filesystem'].map(
      (scheme) =>
        [
          'GSLS_PAGE_CONNECT',
          `${scheme}:{ip}`,
          `must not have the scheme ${scheme.toLowerCase()}: it can harm players`,
        ] as const,
    ),
    [
      'GSLS_PAGE_CONNECT',
      'view-source:http://{ip}',
      'must not have the scheme view-source: it can harm players',
    ],
    ['GSLS_PAGE_CONNECT', 'game:{prot}', 'has no placeholder {prot}; did you mean port?'],
    [
      'GSLS_PAGE_CONNECT',
      'game:{}',
      'has no placeholder {}: there are {ip}, {host}, {port}, {id}, {name}, {address}',
    ],
    ['GSLS_PAGE_CONNECT', 'game:play', 'must hold a placeholder, as in steam://connect/{ip}:{port}'],
    ...[
      'game:{ip} x',
      'game:{ip}"',
      'game:{ip}<',
      'game:{{ip}}',
      'game:{ip}\\',
      'game:{ip}\u0000',
      'game:{ip',
    ].map(
      (text) =>
        [
          'GSLS_PAGE_CONNECT',
          text,
          text === 'game:{ip' ? 'must hold a placeholder' : 'must be a URL with placeholders, without "',
        ] as const,
    ),
    ...['red', '1f5fbf', '#12345', '#12345g', '#fff;'].map(
      (text) => ['GSLS_PAGE_ACCENT', text, `must be a colour like #1f5fbf or #36c, not "${text}"`] as const,
    ),
    ...[
      'example.com',
      'https://example.com/',
      'https://*',
      'https://*.*.example.com',
      'https://a.*.com',
      'ftp://example.com',
      "https://a.example 'unsafe'",
      'https://a.example;',
      ',',
    ].map(
      (text) =>
        [
          'GSLS_PAGE_EMBED_ORIGINS',
          text,
          'must be *, none, or origins like https://example.com or https://*.example.com, not "',
        ] as const,
    ),
    ...['', 'a,,b', 'x'.repeat(33), 'a\nb', 'a\u202eb'].flatMap((text) =>
      ['GSLS_LABELS', 'GSLS_REPORT_REASONS', 'GSLS_PAGE_HIDE_LABELS'].map(
        (variable) =>
          [variable, ` ${text}`, 'must be names of 1 to 32 characters with commas between them'] as const,
      ),
    ),
    ['GSLS_REPORT_REASONS', Array.from({ length: 33 }, (_, n) => n).join(','), 'must have at most 32 names'],
    ['GSLS_REPORT_NOTES', 'maybe', 'must be true or false, not "maybe"'],
    ...['0', '1', '65', 'all'].map(
      (text) => ['GSLS_REPORT_HIDES', text, 'must be an integer from 2 to 64, not "'] as const,
    ),
    ['GSLS_MODERATOR_HEADER', 'a b', 'must be the name of a header'],
    ['GSLS_MODERATOR_PROXIES', 'example.com', 'must hold networks such as 10.0.0.0/8, addresses or '],
    ['GSLS_DRAIN_DELAY', '301', 'must be an integer from 0 to 300 (seconds), not "301"'],
    ['GSLS_LOG_LEVEL', 'INFO', 'must be one of trace, debug, info, warn, error, fatal, silent, not "INFO"'],
    ['GSLS_LOG_FORMAT', 'xml', 'must be one of json, pretty, not "xml"'],
    ['GSLS_LOG_ADDRESSES', 'half', 'must be one of full, masked, none, not "half"'],
  ];

  for (const [variable, text, rest] of REFUSED)
    it(`${variable}=${JSON.stringify(text)} is refused`, () => {
      expect(complaintOf({ environment: { [variable]: text } })).to.satisfy((message: string) =>
        message.startsWith(`${variable} ${rest}`),
      );
    });

  it('every option that can be wrong has a refused value above', () => {
    const files = /_FILE$|_CA$|_SCHEMA$|_LOGO$|_KEEP$/;
    const elsewhere = ['GSLS_REDIS', 'GSLS_CONFIG', 'GSLS_MIRRORS', 'GSLS_MIRROR_KEYS'];
    const tested = new Set([...REFUSED.map(([variable]) => variable), ...elsewhere]);
    expect(
      Object.values(OPTIONS).filter(({ variable }) => !tested.has(variable) && !files.test(variable)),
    ).to.deep.equal([]);
  });

  it('a bad flag is reported under the name of the flag', () => {
    expect(complaintOf({ flags: { ttl: ['1'] } })).to.match(/^--ttl must be an integer/);
    expect(complaintOf({ flags: { key: ['good', ''] } })).to.equal('--key must not be empty');
  });

  it('an empty flag is refused: unlike an empty variable it is intended', () => {
    expect(complaintOf({ flags: { registry: [''] } })).to.match(/^--registry must be 1 to 64/);
  });

  it('a data file without a name, or together with Redis, is refused', () => {
    expect(complaintOf({ flags: { dataFile: [''] } })).to.equal('--data-file must be the path of a file');
    expect(complaintOf({ environment: { GSLS_DATA_FILE: 'a', GSLS_REDIS: 'redis://b' } })).to.match(
      /^--data-file is for a registry in memory: it cannot be used with Redis/,
    );
  });

  it('a file of countries without a name is refused', () => {
    expect(complaintOf({ flags: { geoFile: [''] } })).to.equal('--geo-file must be the path of a file');
  });

  it('an operations port that is the public one is refused, and a host for none', () => {
    const complaint = '--ops-port must be another port than --port: give the operations port one of its own';
    expect(complaintOf({ flags: { opsPort: ['53600'] } })).to.equal(complaint);
    expect(complaintOf({ flags: { port: ['80'] }, environment: { GSLS_OPS_PORT: '80' } })).to.equal(
      complaint,
    );
    expect(configOf({ flags: { port: ['0'], opsPort: ['0'] } }).opsPort).to.equal(0);
    expect(complaintOf({ environment: { GSLS_OPS_HOST: '::' } })).to.equal(
      'GSLS_OPS_HOST needs --ops-port, the port that it is for',
    );
  });

  it('a beacon is refused at the port of something else, and by http: beside a page by https:', () => {
    expect(complaintOf({ flags: { beaconPort: ['53600'] } })).to.equal(
      '--beacon-port must be another port than --port and --ops-port: give the beacon one of its own',
    );
    const flags = { beacons: ['{"fra":"http://fra.example.com"}'] };
    const publicUrl = ['https://list.example.com'];
    expect(complaintOf({ flags: { ...flags, publicUrl } })).to.equal(
      '--beacons names fra by http:, which the page at https://list.example.com/ cannot ask: give it a URL by https:',
    );
    expect(
      configOf({ flags: { ...flags, publicUrl: ['http://list.example.com'] } }).beacons,
    ).to.have.lengthOf(1);
    expect(configOf({ flags }).beacons).to.deep.equal([
      { id: 'fra', url: 'http://fra.example.com/', latency: {} },
    ]);
  });

  it('a way in which proxies name clients is refused where no proxy is trusted', () => {
    for (const [flags, flag] of [
      [{ clientAddressHeader: ['X-Real-IP'] }, '--client-address-header'],
      [{ proxyProtocol: true }, '--proxy-protocol'],
    ] as const)
      expect(complaintOf({ flags })).to.equal(
        `${flag} needs --trust-proxy, which says from which proxies it counts`,
      );
  });

  it('--public-read without a key is refused: it would have no effect', () => {
    const rest = 'needs --key or --key-file as well: without a key every client may read already';
    expect(complaintOf({ flags: { publicRead: true } })).to.equal(`--public-read ${rest}`);
    expect(complaintOf({ environment: { GSLS_PUBLIC_READ: 'yes', GSLS_ADMIN_KEY: 'a' } })).to.equal(
      `GSLS_PUBLIC_READ ${rest}`,
    );
    expect(configOf({ environment: { GSLS_PUBLIC_READ: 'no' } }).publicRead).to.equal(false);
    const files = { keys: 'k' };
    expect(configOf({ flags: { publicRead: true, keyFile: ['keys'] }, files }).publicRead).to.equal(true);
  });

  it('an admin key that is an ordinary key is refused, wherever both come from, and not repeated', () => {
    const files = { keys: 'hunter2\nother', admin: 'boss\nhunter2' };
    for (const flags of [
      { key: ['hunter2'], adminKey: ['boss', 'hunter2'] },
      { keyFile: ['keys'], adminKey: ['hunter2'] },
      { key: ['boss'], adminKeyFile: ['admin'] },
      { keyFile: ['keys'], adminKeyFile: ['admin'] },
    ])
      expect(complaintOf({ flags, files })).to.equal(
        'an admin key is one of the keys of --key and --key-file too, so every game server could moderate: give the admin a key of its own',
      );
  });

  it('an exception to quotas is refused where there are none', () => {
    expect(complaintOf({ flags: { quotaExempt: ['private'] } })).to.equal(
      '--quota-exempt needs --max-servers or --max-servers-per-address, the limits that it is an exception to',
    );
    expect(
      configOf({ flags: { quotaExempt: ['private'], maxServers: ['1'] } }).quotaExempt?.has('10.0.0.1'),
    ).to.equal(true);
  });

  it('protocols of other games are refused with a key, which their game servers do not have', () => {
    expect(complaintOf({ flags: { protocols: ['ddnet'], key: ['secret'] } })).to.equal(
      '--protocols cannot be used with --key or --key-file, nor with a key that may announce: these protocols know no key, so run a registry without one for them',
    );
    expect(configOf({ flags: { protocols: ['luanti, ddnet,luanti'] } }).protocols).to.deep.equal([
      'luanti',
      'ddnet',
    ]);
  });

  it('a limit of what they say is refused without them', () => {
    expect(complaintOf({ flags: { maxProtocolBytesPerAddress: ['65536'] } })).to.equal(
      '--max-protocol-bytes-per-address needs --protocols or --dpmaster-port, the protocols that it is a limit of',
    );
  });

  it('details of the verification are refused without --verify', () => {
    const environment = { GSLS_VERIFY_NETWORKS: '10.0.0.0/8' };
    expect(complaintOf({ environment })).to.equal(
      'GSLS_VERIFY_NETWORKS needs --verify, which says how game servers are checked',
    );
    expect(complaintOf({ flags: { unverified: ['show'] } })).to.match(/^--unverified needs --verify/);
  });

  it('details of reports are refused without reasons, and parts of signing in without the others', () => {
    expect(complaintOf({ flags: { reportHides: ['5'] } })).to.equal(
      '--report-hides needs --report-reasons, which let readers report',
    );
    expect(complaintOf({ environment: { GSLS_REPORT_NOTES: 'true' } })).to.match(/^GSLS_REPORT_NOTES needs/);
    const proxied = { moderatorHeader: ['X-User'], moderatorProxies: ['10.0.0.2'], opsPort: ['0'] };
    expect(configOf({ flags: proxied }).moderatorHeader).to.equal('X-User');
    for (const [flags, line] of [
      [{ ...proxied, moderatorProxies: undefined }, /^--moderator-header needs --moderator-proxies/],
      [{ ...proxied, moderatorHeader: undefined }, /^--moderator-proxies needs --moderator-header/],
      [{ ...proxied, opsPort: undefined }, /^--moderator-header needs --ops-port/],
    ] as const)
      expect(complaintOf({ flags: JSON.parse(JSON.stringify(flags)) as Record<string, string[]> })).to.match(
        line,
      );
  });

  it('players that nobody looks for cannot be shown', () => {
    for (const verify of [undefined, 'tcp', 'http'])
      expect(complaintOf({ flags: { playersSeen: true, ...(verify && { verify: [verify] }) } })).to.equal(
        '--players-seen needs --verify a2s or quake3, which see how many are there',
      );
  });

  it('an option of the page is refused together with --no-page', () => {
    expect(complaintOf({ flags: { noPage: true, pageTitle: ['Servers'] } })).to.equal(
      '--page-title needs the page, which --no-page takes away',
    );
    const environment = { GSLS_NO_PAGE: 'true' };
    for (const [name, text] of Object.entries({
      GSLS_PAGE_NOTICE: 'Soon',
      GSLS_PAGE_META_FILTERS: 'language',
      GSLS_PAGE_REGIONS: 'eu=Europe',
      GSLS_PUBLIC_URL: 'https://list.example',
      GSLS_PAGE_CONNECT: 'steam://connect/{ip}:{port}',
      GSLS_PAGE_ACCENT: '#fff',
      GSLS_PAGE_LOGO: 'logo.svg',
      GSLS_PAGE_EMBED_ORIGINS: '*',
    }))
      expect(complaintOf({ environment: { ...environment, [name]: text } })).to.equal(
        `${name} needs the page, which --no-page takes away`,
      );
    expect(complaintOf({ flags: { noPage: true, pageRedirect: true } })).to.equal(
      '--page-redirect needs the page, which --no-page takes away',
    );
    expect(configOf({ environment: { ...environment, GSLS_PAGE_REDIRECT: 'no' } }).pageRedirect).to.equal(
      false,
    );
    expect(configOf({ environment: { GSLS_NO_PAGE: 'no' }, flags: { pageTitle: ['x'] } }).pageTitle).to.equal(
      'x',
    );
  });

  it('an unknown variable that begins with GSLS_ is refused, with the name that was meant', () => {
    expect(complaintOf({ environment: { GSLS_XYZZY: 'x' } })).to.equal('unknown variable GSLS_XYZZY');
    for (const [unknown, meant] of [
      ['GSLS_PROT', 'GSLS_PORT'],
      ['GSLS_KEYS', 'GSLS_KEY'],
      ['GSLS_REDIS_PASSWROD', 'GSLS_REDIS_PASSWORD'],
      ['GSLS_REDIS_URL', 'GSLS_REDIS'],
      ['GSLS_LOG', 'GSLS_LOG_LEVEL'],
    ] as const)
      expect(complaintOf({ environment: { [unknown]: 'x' } })).to.equal(
        `unknown variable ${unknown}; did you mean ${meant}?`,
      );
  });
});
