/** The errors for writes that the registry has refused. */

import { ServiceError } from '../../model/service-error.ts';
import { counted } from '../../model/counted.ts';
import type {
  AddressTaken,
  BroadcastOutcome,
  Caller,
  PingOutcome,
  QuotaExceeded,
  RemoveOutcome,
} from '../../registry/registry.ts';

const WRONG_TOKEN =
  'this Server-Token is wrong, or that of another entry: broadcast again with the header Server-Token: claim';

/** Throws the ServiceError for an outcome that is no success. `proof`: the proof that the caller had shown. */
export function requireSuccess(
  outcome: BroadcastOutcome | PingOutcome | RemoveOutcome,
  proof: Caller['proof'],
): void {
  switch (outcome) {
    case 'listed':
    case 'refreshed':
    case 'removed':
      return;
    case 'unlisted':
      throw new ServiceError('idempotency_key_used');
    case 'unknown':
      throw new ServiceError('unknown_server');
    case 'ip_mismatch':
      throw new ServiceError('ip_mismatch');
    case 'not_owner':
      throw new ServiceError('not_owner', proof === 'wrong' ? { message: WRONG_TOKEN } : {});
  }
  throw outcome.is === 'address_taken' ? addressTaken(outcome) : quotaExceeded(outcome);
}

function addressTaken({ forMs }: AddressTaken): ServiceError {
  const seconds = Math.ceil(forMs / 1000);
  return new ServiceError('address_taken', {
    message: `another entry has this host, IP and port, and it is claimed: broadcast with its Server-Token, or once it has expired, in ${seconds} s without a ping`,
    about: '',
    headers: { 'Retry-After': String(Math.max(1, seconds)) },
  });
}

function quotaExceeded({ of, limit, count }: QuotaExceeded): ServiceError {
  const whose = of === 'all' ? 'in all' : 'of one address';
  return new ServiceError('quota_exceeded', {
    finding: of === 'all' ? 'quota_all' : 'quota_address',
    about: `${count} of ${limit}`,
    message: `${counted(count, 'server')} ${whose} listed or just expired, and the limit is ${limit}: remove those that are not needed, or ask the operator of the service`,
  });
}
