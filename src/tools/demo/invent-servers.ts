/**
 * Invents game servers: on machines of communities in several regions, with names as communities give them, of all
 * sizes, full, busy and empty. Their addresses are those kept for documentation (RFC 5737, RFC 3849), at which nothing
 * answers.
 */

import {
  COMMUNITIES,
  GENERAL_TAGS,
  MODES,
  PLACES,
  VERSIONS,
  type Community,
  type Mode,
  type Place,
} from './community.ts';
import { InventedServer } from './invented-server.ts';
import { between, fork, pick, type Random } from './random.ts';

export interface Invention {
  readonly count: number;
  /** ms since the epoch. */
  readonly now: number;
  readonly random: Random;
}

/** A host of a community, with one or several game servers on it. */
interface Machine {
  readonly community: Community;
  readonly place: Place;
  readonly host: string;
  readonly ip: string;
  /** Its second address, if it has one. */
  readonly ipv6: string | undefined;
}

const NETWORKS = ['203.0.113', '198.51.100', '192.0.2'] as const;
const ADDRESSES_OF_A_NETWORK = 254;
const FIRST_PORT = 27_015;
const MOST_ON_A_MACHINE = 4;

/** All different by host and port, and the same for the same source of chance. */
export function inventServers({ count, now, random }: Invention): readonly InventedServer[] {
  const servers: InventedServer[] = [];
  const numbers = new Map<string, number>();
  /** Counts on: 1 for the first of this text. */
  const nextOf = (text: string): number => {
    const next = (numbers.get(text) ?? 0) + 1;
    numbers.set(text, next);
    return next;
  };
  for (let machines = 0; servers.length < count; machines += 1) {
    const machine = inventMachine(machines, nextOf, random);
    const here = Math.min(count - servers.length, between(1, MOST_ON_A_MACHINE, random));
    for (let n = 0; n < here; n += 1)
      servers.push(inventServer(machine, FIRST_PORT + n, { now, nextOf, random }));
  }
  return servers;
}

type NextOf = (text: string) => number;

function inventMachine(index: number, nextOf: NextOf, random: Random): Machine {
  const community = pick(COMMUNITIES, random);
  const { regions } = community;
  const place = pick(
    PLACES.filter(({ region }) => regions?.includes(region) ?? true),
    random,
  );
  const domain = `${place.code}.${community.domain}`;
  const ipv6 = `2001:db8::${(index + 1).toString(16)}`;
  const network = NETWORKS[index % NETWORKS.length]!;
  const last = 1 + Math.floor(index / NETWORKS.length);
  const hasIpv4 = index % 8 !== 7 && last <= ADDRESSES_OF_A_NETWORK;
  return {
    community,
    place,
    host: domain.replace('.', `${nextOf(domain)}.`),
    ip: hasIpv4 ? `${network}.${last}` : ipv6,
    ipv6: hasIpv4 && index % 5 === 0 ? ipv6 : undefined,
  };
}

function inventServer(
  { community, place, host, ip, ipv6 }: Machine,
  port: number,
  { now, nextOf, random }: Pick<Invention, 'now' | 'random'> & { readonly nextOf: NextOf },
): InventedServer {
  const mode = pick(MODES, random);
  const places = pick(mode.places, random);
  const password = random() < 0.08;
  const tags = [pick(mode.tags, random), pick([...mode.tags, ...GENERAL_TAGS], random), place.city];
  const popularity = password ? places * random() * 0.5 : popularityOf(places, random);
  const traits = {
    server_host: host,
    server_name: inventName({ community, place, mode }, nextOf, random),
    server_port: port,
    server_ip: ip,
    max_players: places,
    maps: inventRotation(mode, random),
    mode: mode.name,
    version: pick(VERSIONS, random),
    region: place.region,
    password,
    tags: [...new Set(tags.map((tag) => tag.toLowerCase()))],
    ...(ipv6 !== undefined && { addresses: [{ ip: ipv6, port }] }),
    meta: { community: community.name, rules: `https://${community.domain}/rules` },
    popularity,
  };
  return new InventedServer(traits, now, fork(random));
}

/** A few are full, and some more are busy; many are nearly empty. */
function popularityOf(places: number, random: Random): number {
  const chance = random();
  if (chance < 0.08) return places * 2.5;
  if (chance < 0.3) return places * (0.6 + 0.35 * random());
  if (chance < 0.62) return places * (0.1 + 0.5 * random());
  return chance < 0.82 ? 1.5 * random() : 0;
}

/** Some play one map for ever, the others several. */
function inventRotation({ maps }: Mode, random: Random): readonly string[] {
  if (random() < 0.2) return [pick(maps, random)];
  const first = between(0, maps.length - 1, random);
  return [...maps.slice(first), ...maps.slice(0, first)];
}

function inventName(
  {
    community: { name, tag, slogans },
    place: { city, region },
    mode,
  }: Pick<Machine, 'community' | 'place'> & { readonly mode: Mode },
  nextOf: NextOf,
  random: Random,
): string {
  const slogan = pick(slogans, random);
  const number = nextOf(`${name} ${city}`);
  switch (between(0, 5, random)) {
    case 0:
      return `[${tag}] ${city} #${number} | ${mode.name}`;
    case 1:
      return `${name} ${city} ${number} - ${slogan}`;
    case 2:
      return `${name} | ${mode.name} | ${region.toUpperCase()} ${number}`;
    case 3:
      return `>> ${name} << ${city} ${number} ★ ${slogan}`;
    case 4:
      return `${city} ${number} [${slogan}] by ${name}`;
    default:
      return `${name} #${number} ~ ${slogan}`;
  }
}
