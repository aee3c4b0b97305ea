/**
 * The files that options name: keys, a password, certificates. A file that cannot be used ends in a UsageError of one
 * line. No message repeats a secret. How a file is read is the caller's.
 */

import { X509Certificate } from 'node:crypto';
import { parseKey } from './option-parsers.ts';
import { UsageError } from '../../runtime/usage-error.ts';

/** Reads a text file. */
export type ReadFile = (path: string) => string;

/**
 * One value a line, at least one; lines that are empty or begin with # are left out. `what`: as in "key file".
 * `without`: what would follow from none. `parse`: throws an Error whose message completes "a key …".
 */
export function readLines(
  what: string,
  path: string,
  readFile: ReadFile,
  without: string,
  parse = parseKey,
): string[] {
  const text = readSecretFile(what, path, readFile);
  const lines = text.split('\n').map((line) => line.trim());
  const values = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const noun = what.includes('secret') ? 'secret' : 'key';
  if (values.length === 0)
    throw new UsageError(
      `the ${what} ${path} holds no ${noun}, so ${without}: add a ${noun}, or leave the file out`,
    );
  try {
    return values.map(parse);
  } catch (error) {
    throw new UsageError(`a ${noun} in ${path} ${(error as Error).message}`);
  }
}

/** Reads a file with any JSON. */
export function readJson(what: string, path: string, readFile: ReadFile): unknown {
  const text = readOptionFile(what, path, readFile);
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = (error as Error).message.replaceAll(/\s+/g, ' ');
    throw new UsageError(`the ${what} ${path} is not valid JSON: ${reason}`);
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
export function readOptionFile(what: string, path: string, readFile: ReadFile): string {
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
