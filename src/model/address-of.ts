/** `203.0.113.7:7777`, or `[2001:db8::7]:7777`. `host`: a name or an IP address. */
export function addressOf(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
