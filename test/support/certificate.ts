/** Certificates for TLS, made with openssl, in files of their own. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  /** The one host name it is for. */
  readonly name: string;
  readonly pem: string;
  readonly file: string;
  readonly keyFile: string;
  /** Removes the files. */
  remove(): void;
}

/** Signed by itself, so that trusting it needs no other certificate. */
export function createCertificate(name: string): Certificate {
  const directory = mkdtempSync(join(tmpdir(), 'gsls-tls-'));
  const [file, keyFile] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  const who = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`, '-days', '1'];
  // Made and used in a fraction of the time of RSA.
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile];
  const { status, stderr } = spawnSync('openssl', ['req', '-x509', ...key, ...who, '-out', file], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`openssl: ${stderr}`);
  return {
    name,
    pem: readFileSync(file, 'utf8'),
    file,
    keyFile,
    remove: () => rmSync(directory, { recursive: true }),
  };
}
