/** The functions for readers of the list, who announce nothing: `gsls-client/read`. */

export { nearest } from './beacons/nearest.ts';
export { find } from './find.ts';
export type { FindOptions, FoundServers } from './find.ts';
export { list } from './list.ts';
export type { ListOptions, ServerList } from './list.ts';
export { report } from './report.ts';
export type { ReportOptions } from './report.ts';
export { ServiceError } from './service-error.ts';
export type { ServiceOptions, Urls } from './service-options.ts';
export { watch } from './watch.ts';
export type { WatchedServers, WatchOptions } from './watch.ts';
export type { ListedServer as GameServer, ListServer } from '../../../src/model/view/listed-server.ts';
export type { Environment } from './environment.ts';
