const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * What is counted under for a client: its IPv4 address, or the first half of its IPv6 address, which is what one
 * customer of a provider has to himself. `ip` is what the connection says, or a proxy that is trusted;
 * a connection that was reset before its request was read has none.
 */
export function clientAddress(ip: string | undefined): string {
  const address = MAPPED.exec(ip ?? '')?.[1] ?? ip ?? '';
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = !tail ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array(Math.max(0, 8 - before.length - after.length)).fill('0');
  const groups = [...before, ...zeros, ...after].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
