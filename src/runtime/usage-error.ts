/** The program was called wrongly. The message is one line that says what to do. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
