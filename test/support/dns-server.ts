/** A DNS server that knows one name, whose addresses a test changes as Docker does when replicas come and go. */

import { createSocket } from 'node:dgram';

export interface DnsServer {
  /** Address and port. */
  readonly address: string;
  /** The IPv4 addresses that every name has from now on. */
  setAddresses(addresses: readonly string[]): void;
  stop(): Promise<void>;
}

const HEADER_BYTES = 12;
const TYPE_A = 1;
const RESPONSE_WITH_RECURSION = 0x81_80;
const TTL_SECONDS = 1;

export async function startDnsServer(): Promise<DnsServer> {
  let addresses: readonly string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    socket.send(answer(query, addresses), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  return {
    address: `127.0.0.1:${port}`,
    setAddresses(next) {
      addresses = next;
    },
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** RFC 1035 section 4: the header, the question repeated, a record for each address. */
function answer(query: Buffer, addresses: readonly string[]): Buffer {
  const questionEnd = query.indexOf(0, HEADER_BYTES) + 5;
  const asksForA = query.readUInt16BE(questionEnd - 4) === TYPE_A;
  const records = asksForA ? addresses.map(addressRecord) : [];
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(RESPONSE_WITH_RECURSION, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, query.subarray(HEADER_BYTES, questionEnd), ...records]);
}

function addressRecord(address: string): Buffer {
  const record = Buffer.alloc(12);
  // A pointer to the name in the question, type, class, TTL, length.
  record.writeUInt16BE(0xc0_00 + HEADER_BYTES, 0);
  record.writeUInt16BE(TYPE_A, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(TTL_SECONDS, 6);
  record.writeUInt16BE(4, 10);
  return Buffer.concat([record, Buffer.from(address.split('.').map(Number))]);
}
