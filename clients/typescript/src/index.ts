/** All of the client: `announce()` for game servers, and `gsls-client/read` for readers. */

export { announce } from './announce.ts';
export type {
  Announcement,
  AnnounceOptions,
  AnnouncementState,
  GameServerFields,
  StopOptions,
} from './announce.ts';
export * from './read.ts';
