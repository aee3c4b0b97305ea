/**
 * The files that options name: keys, a password, certificates. A file that cannot be used ends in a UsageError of one
 * line. No message repeats a secret. How a file is read is the caller's.
 */

import { X509Certificate } from 'node:crypto';
import { parseKey, parseTokenSecret } from './option-parsers.ts';
import { UsageError } from './option.ts';

/** Reads a text file. */
export type ReadFile = (path: string) => string;

/** One key a line, at least one; lines that are empty or begin with # are left out. */
export function readKeys(path: string, readFile: ReadFile): string[] {
  const keys = readLines('key file', path, readFile);
  if (keys.length === 0)
    throw new UsageError(
      `the key file ${path} holds no key, so every client would be let in: add a key, or leave the file out`,
    );
  return parseLines('key', keys, path, parseKey);
}

/** One secret a line, at least one; lines that are empty or begin with # are left out. */
export function readTokenSecrets(path: string, readFile: ReadFile): string[] {
  const secrets = readLines('token secret file', path, readFile);
  if (secrets.length === 0)
    throw new UsageError(
      `the token secret file ${path} holds no secret: add one, or leave the file out, and the registry makes its own`,
    );
  return parseLines('secret', secrets, path, parseTokenSecret);
}

function readLines(what: string, path: string, readFile: ReadFile): string[] {
  const lines = readSecretFile(what, path, readFile)
    .split('\n')
    .map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

function parseLines(
  what: string,
  lines: readonly string[],
  path: string,
  parse: (line: string) => string,
): string[] {
  try {
    return lines.map(parse);
  } catch (error) {
    throw new UsageError(`a ${what} in ${path} ${(error as Error).message}`);
  }
}

/** The password alone in its file, without the line end of an editor. */
export function readPassword(path: string, readFile: ReadFile): string {
  const password = readSecretFile('password file', path, readFile).replace(/\r?\n$/, '');
  if (password === '') throw new UsageError(`the password file ${path} is empty`);
  if (/\p{Cc}/u.test(password))
    throw new UsageError(`the password file ${path} must hold the password and nothing else, in one line`);
  return password;
}

/** The certificates in the file, as PEM. */
export function readCertificates(path: string, readFile: ReadFile): string {
  const text = readOptionFile('CA file', path, readFile);
  const certificates = text.match(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs) ?? [];
  if (certificates.length === 0)
    throw new UsageError(`the CA file ${path} holds no certificate: it must be in PEM form`);
  if (!certificates.every(isCertificate))
    throw new UsageError(`the CA file ${path} holds a certificate that cannot be read`);
  return certificates.join('\n');
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}

/** The text without a byte order mark. */
function readOptionFile(what: string, path: string, readFile: ReadFile): string {
  try {
    return readFile(path).replace(/^\uFEFF/, '');
  } catch (error) {
    throw new UsageError(`the ${what} ${path} cannot be read: ${(error as Error).message}`);
  }
}

/** Keys and passwords in another encoding would never match. */
function readSecretFile(what: string, path: string, readFile: ReadFile): string {
  const text = readOptionFile(what, path, readFile);
  if (/[\0\uFFFD]/.test(text)) throw new UsageError(`the ${what} ${path} is not text in UTF-8`);
  return text;
}
