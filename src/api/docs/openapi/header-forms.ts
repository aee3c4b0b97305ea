/** The forms of what this service has in headers: by these they are read, and described. */

/** What a header, a log and a URL carry as it is: UUIDs, hex, base64, and ids such as Root=1-67891233-abcdef. */
export const HARMLESS_ID = /^[\w.:=+/@-]{1,128}$/;

/** A key without quotes. */
export const IDEMPOTENCY_KEY = /^[ -~]{1,255}$/;

export const SERVER_TOKEN = /^(?<id>.{1,64})\.(?<mac>[\w-]{43})$/s;
