import { isIP } from 'node:net';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** Some proxies append the port. */
const WITH_PORT = /^(?:\[(.+)\]|(\d+\.\d+\.\d+\.\d+)):\d+$/;

/**
 * The client's full address, for the audit and the log. `ip` comes from the connection or from a trusted proxy.
 * Null if a proxy sent something else, and for a connection that was reset before its request was read.
 */
export function sourceAddress(ip: string | null | undefined): string | null {
  if (ip && isIP(ip) === 4) return ip;
  const [given, inBrackets, beforePort] = WITH_PORT.exec(ip ?? '') ?? [ip ?? ''];
  const address = inBrackets ?? beforePort ?? given;
  const plain = MAPPED.exec(address)?.[1] ?? address;
  return isIP(plain) > 0 ? plain : null;
}

/**
 * The key under which limits count a client: its IPv4 address, or the first half of its IPv6 address, which providers
 * assign to one customer. Clients without an address share one key.
 */
export function clientAddress(ip: string | null | undefined): string {
  const address = sourceAddress(ip) ?? '';
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = !tail ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array(Math.max(0, 8 - before.length - after.length)).fill('0');
  const groups = [...before, ...zeros, ...after].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
