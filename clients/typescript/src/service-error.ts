/** Why `list`, `find` or `report` has failed. */
export class ServiceError extends Error {
  declare readonly name: 'ServiceError';
  /** The status of the HTTP answer; 0 if there was none. */
  declare readonly status: number;
  /** The code of an error of the API, such as `invalid_query`. Undefined if the answer has none. */
  declare readonly code: string | undefined;
  /** How long the service asks to be left alone, in ms. Undefined if it does not say. */
  declare readonly retryAfterMs: number | undefined;

  /** `message`: what the service says, or what happened instead. */
  constructor(message: string, told: Pick<ServiceError, 'status' | 'code' | 'retryAfterMs'>) {
    super(message);
    const { status, code, retryAfterMs } = told;
    Object.assign(this, { name: 'ServiceError', status, code, retryAfterMs });
  }
}
