/** The forms of values in headers of this service: requests are read by them, and the description quotes them. */

/** An id that headers, logs and URLs can carry unescaped: a UUID, hex, base64, or one like Root=1-67891233-abcdef. */
export const HARMLESS_ID = /^[\w.:=+/@-]{1,128}$/;

/** The key without its quotes. */
export const IDEMPOTENCY_KEY = /^[ -~]{1,255}$/;

export const SERVER_TOKEN = /^(?<id>.{1,64})\.(?<mac>[\w-]{43})$/s;
