/** All of the client: `announce()` for game servers, and what reads the list. */

export { announce } from './announce.ts';
export type {
  Announcement,
  AnnounceOptions,
  AnnouncementState,
  GameServerFields,
  StopOptions,
} from './announce.ts';
export * from './read.ts';
