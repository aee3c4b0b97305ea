/** All scenes, in the order in which they are played and shown. */

import type { Scene } from '../scene.ts';
import { plainLife } from './life/plain-life.ts';
import { intervalByHeader } from './life/interval-by-header.ts';
import { usualInterval } from './life/usual-interval.ts';
import { fieldsOfNow } from './life/fields-of-now.ts';
import { namesOfEveryScript } from './life/names-of-every-script.ts';
import { ipv6 } from './life/ipv6.ts';
import { pathOfTheService } from './life/path-of-the-service.ts';
import { oneConnection } from './life/one-connection.ts';
import { keyOfTheService } from './life/key-of-the-service.ts';
import { keyRefused } from './life/key-refused.ts';
import { unknownFieldsAndHeaders } from './life/unknown-fields-and-headers.ts';
import { removeAtTheEnd } from './life/remove-at-the-end.ts';
import { unknownServer } from './refusals/unknown-server.ts';
import { ipMismatch } from './refusals/ip-mismatch.ts';
import { notOwner } from './refusals/not-owner.ts';
import { serverTokenRequired } from './refusals/server-token-required.ts';
import { idempotencyKeyUsed } from './refusals/idempotency-key-used.ts';
import { addressTaken } from './refusals/address-taken.ts';
import { rateLimited } from './refusals/rate-limited.ts';
import { unavailableUntil } from './refusals/unavailable-until.ts';
import { retryAfterForYears } from './refusals/retry-after-for-years.ts';
import { invalidRequest } from './refusals/invalid-request.ts';
import { errorWithoutABody } from './network/error-without-a-body.ts';
import { pageOfAProxy } from './network/page-of-a-proxy.ts';
import { notFoundByAProxy } from './network/not-found-by-a-proxy.ts';
import { strangeJson } from './network/strange-json.ts';
import { resetBeforeTheAnswer } from './network/reset-before-the-answer.ts';
import { resetInTheAnswer } from './network/reset-in-the-answer.ts';
import { halfAnAnswer } from './network/half-an-answer.ts';
import { tenMegabytes } from './network/ten-megabytes.ts';
import { redirect } from './network/redirect.ts';
import { silence } from './network/silence.ts';
import { refusedConnection } from './network/refused-connection.ts';
import { lateAnswer } from './network/late-answer.ts';
import { wrongCertificate } from './network/wrong-certificate.ts';
import { anyCertificate } from './network/any-certificate.ts';
import { tokenFile } from './care/token-file.ts';
import { tokenOfBefore } from './care/token-of-before.ts';
import { tokenFileDamaged } from './care/token-file-damaged.ts';
import { tokenNeverIssued } from './care/token-never-issued.ts';
import { tokenFileUnreadable } from './care/token-file-unreadable.ts';
import { machineSlept } from './care/machine-slept.ts';
import { spreadOfFirstPings } from './care/spread-of-first-pings.ts';
import { spreadOfPings } from './care/spread-of-pings.ts';
import { spreadOfPauses } from './care/spread-of-pauses.ts';
import { callsReturnAtOnce } from './care/calls-return-at-once.ts';
import { stopWhileItHangs } from './care/stop-while-it-hangs.ts';
import { stopInARequest } from './care/stop-in-a-request.ts';
import { stopBeforeItIsListed } from './care/stop-before-it-is-listed.ts';
import { hostileWords } from './care/hostile-words.ts';
import { aDay } from './care/a-day.ts';
import { plainList } from './lists/plain-list.ts';
import { unchangedList } from './lists/unchanged-list.ts';
import { compressedList } from './lists/compressed-list.ts';
import { staleList } from './lists/stale-list.ts';
import { brokenLists } from './lists/broken-lists.ts';
import { wordsOfTheService } from './lists/words-of-the-service.ts';
import { keyOfAReader } from './lists/key-of-a-reader.ts';
import { pathOfAReader } from './lists/path-of-a-reader.ts';
import { certificateForAReader } from './lists/certificate-for-a-reader.ts';
import { movingPages } from './lists/moving-pages.ts';
import { brokenPages } from './lists/broken-pages.ts';
import { queryAsItIs } from './lists/query-as-it-is.ts';
import { changesOfAStream } from './watching/changes-of-a-stream.ts';
import { fullReplaces } from './watching/full-replaces.ts';
import { cutStreams } from './watching/cut-streams.ts';
import { bookmarks } from './watching/bookmarks.ts';
import { formsOfEvents } from './watching/forms-of-events.ts';
import { silentStream } from './watching/silent-stream.ts';
import { staleWatch } from './watching/stale-watch.ts';
import { retryOfAStream } from './watching/retry-of-a-stream.ts';
import { polls } from './watching/polls.ts';
import { streamAfterPolls } from './watching/stream-after-polls.ts';
import { keptBackStream } from './watching/kept-back-stream.ts';
import { backOffOfAWatch } from './watching/back-off-of-a-watch.ts';
import { spreadOfWatches } from './watching/spread-of-watches.ts';
import { wordsToAWatch } from './watching/words-to-a-watch.ts';
import { hostileChanges } from './watching/hostile-changes.ts';
import { stopOfAWatch } from './watching/stop-of-a-watch.ts';
import { tenThousandServers } from './watching/ten-thousand-servers.ts';
import { endlessAnswers } from './lists/endless-answers.ts';

export const SCENES: readonly Scene[] = [
  plainLife,
  intervalByHeader,
  usualInterval,
  fieldsOfNow,
  namesOfEveryScript,
  ipv6,
  pathOfTheService,
  oneConnection,
  keyOfTheService,
  keyRefused,
  unknownFieldsAndHeaders,
  removeAtTheEnd,
  unknownServer,
  ipMismatch,
  notOwner,
  serverTokenRequired,
  idempotencyKeyUsed,
  addressTaken,
  rateLimited,
  unavailableUntil,
  retryAfterForYears,
  invalidRequest,
  errorWithoutABody,
  pageOfAProxy,
  notFoundByAProxy,
  strangeJson,
  resetBeforeTheAnswer,
  resetInTheAnswer,
  halfAnAnswer,
  tenMegabytes,
  redirect,
  silence,
  refusedConnection,
  lateAnswer,
  wrongCertificate,
  anyCertificate,
  tokenFile,
  tokenOfBefore,
  tokenFileDamaged,
  tokenNeverIssued,
  tokenFileUnreadable,
  machineSlept,
  spreadOfFirstPings,
  spreadOfPings,
  spreadOfPauses,
  callsReturnAtOnce,
  stopWhileItHangs,
  stopInARequest,
  stopBeforeItIsListed,
  hostileWords,
  aDay,
  plainList,
  unchangedList,
  compressedList,
  staleList,
  brokenLists,
  wordsOfTheService,
  keyOfAReader,
  pathOfAReader,
  certificateForAReader,
  movingPages,
  brokenPages,
  queryAsItIs,
  changesOfAStream,
  fullReplaces,
  cutStreams,
  bookmarks,
  formsOfEvents,
  silentStream,
  staleWatch,
  retryOfAStream,
  polls,
  streamAfterPolls,
  keptBackStream,
  backOffOfAWatch,
  spreadOfWatches,
  wordsToAWatch,
  hostileChanges,
  stopOfAWatch,
  tenThousandServers,
  endlessAnswers,
];
