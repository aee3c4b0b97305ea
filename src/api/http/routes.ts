/** The table of the routes of one port: finds the routes of a path, and knows which methods the path answers. */

import { ServiceError } from '../../model/service-error.ts';
import type { Access } from './guard.ts';
import { changesSomething, type Route } from './route.ts';

/** A path of the table with its routes. */
export interface RoutedPath {
  readonly path: string;
  /** The routes by method, HEAD included. */
  readonly routes: ReadonlyMap<string, Route>;
  /** The value of the Allow header. Every path answers OPTIONS as well. */
  readonly allow: string;
  readonly cors: Route['cors'];
  /** The key for a request whose method the path does not have. */
  readonly accessOtherwise: Access;
}

export interface FoundPath {
  readonly at: RoutedPath;
  /** The open part of the path, still percent-encoded; undefined if it has none. */
  readonly parameter: string | undefined;
}

/** The open part of a path of the table: its last part, or the one before. */
const PARAMETER = /\{\w+\}/;

/** What stands for the open part where paths are looked up. */
const OPEN = '{}';

/**
 * The paths that come first where paths are listed, for people who have mistaken one and in the description of the API:
 * those that most look for. The others follow in the order of their rooms.
 */
const TOLD_FIRST = [
  '/',
  '/servers',
  '/servers/{id}',
  '/servers/{id}/history',
  '/stats',
  '/changes',
  '/history',
  '/join/{code}',
  '/browse',
  '/browse/{file}',
  '/health',
  '/metrics',
];

/** Finds the routes of paths. Braces stand for an open part only in the table; in a request they are plain text. */
export class Routes {
  /** The list for a person who has mistaken a path, without the paths for the admin. */
  readonly knownPaths: string;
  /** The paths in the order in which they are listed. */
  readonly table: readonly RoutedPath[];
  /** The paths as patterns of a router. */
  readonly patterns: readonly string[];
  readonly #exact = new Map<string, FoundPath>();
  /** The paths with an open part, by what is around it. */
  readonly #open = new Map<string, RoutedPath>();

  constructor(routes: readonly Route[]) {
    const told = inToldOrder(routes);
    const paths = [...new Set(told.map(({ path }) => path))];
    this.table = paths.map((path) =>
      routedPath(
        path,
        told.filter((route) => route.path === path),
      ),
    );
    const known = this.table.filter(({ accessOtherwise }) => accessOtherwise !== 'moderate');
    this.knownPaths = known.map(({ path }) => path).join(', ');
    this.patterns = this.table.map(({ path }) => path.replace(PARAMETER, ':parameter'));
    for (const at of this.table) {
      if (PARAMETER.test(at.path)) this.#open.set(at.path.replace(PARAMETER, OPEN), at);
      else this.#exact.set(at.path, { at, parameter: undefined });
    }
  }

  /** `path`: without a query. */
  find(path: string): FoundPath | undefined {
    return this.#exact.get(path) ?? this.#findOpen(path);
  }

  #findOpen(path: string): FoundPath | undefined {
    const last = path.lastIndexOf('/');
    return (
      this.#openBetween(path, last, path.length) ??
      this.#openBetween(path, path.lastIndexOf('/', last - 1), last)
    );
  }

  /** The path whose open part is between the slash at `slash` and `end`. */
  #openBetween(path: string, slash: number, end: number): FoundPath | undefined {
    const parameter = path.slice(slash + 1, end);
    if (slash < 0 || parameter === '') return undefined;
    const at = this.#open.get(path.slice(0, slash + 1) + OPEN + path.slice(end));
    return at && { at, parameter };
  }
}

function inToldOrder(routes: readonly Route[]): readonly Route[] {
  const first = TOLD_FIRST.flatMap((path) => routes.filter((route) => route.path === path));
  return [...first, ...routes.filter(({ path }) => !TOLD_FIRST.includes(path))];
}

function routedPath(path: string, own: readonly Route[]): RoutedPath {
  const routes = new Map<string, Route>();
  for (const route of own) {
    routes.set(route.method, route);
    if (route.method === 'GET' && route.access !== 'moderate' && !changesSomething(route))
      routes.set('HEAD', route);
  }
  const accesses = own.map(({ access }) => access);
  return {
    path,
    routes,
    allow: [...routes.keys(), 'OPTIONS'].join(', '),
    cors: own[0]!.cors,
    accessOtherwise: accesses.find((access) => access === 'moderate' || access === 'open') ?? 'any',
  };
}

/** Decodes the open part of a path for its endpoint. Throws a ServiceError `invalid_request`. */
export function decodeParameter(parameter: string): string {
  try {
    return decodeURIComponent(parameter);
  } catch {
    throw new ServiceError('invalid_request', {
      message: 'the path has an escape that is not UTF-8 after %',
    });
  }
}

/** The path that browsers ask for by themselves, at each host. */
const ICON_PATH = '/favicon.ico';

/** The key for a request to a path without routes. Browsers ask for the icon on nobody's behalf, so it needs none. */
export function accessToNothing(path: string): Access {
  return path === ICON_PATH ? 'open' : 'any';
}
