import { BlockList, isIP } from 'node:net';

/** IPv4 ranges that are unroutable, private or local to this machine. */
const REFUSED_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT; some clouds serve their metadata here
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // a cloud's host services, on an address that looks public
  '169.254.0.0/16', // link-local, where most clouds serve their metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays, withdrawn
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and the broadcast address
];

/**
 * IPv6 uses an allow list: the range assigned to the public, and the two forms that carry an allowed IPv4 address. This
 * excludes loopback, unique local, link-local, multicast and all future ranges.
 */
const PUBLIC_IPV6 = [
  '2000::/3',
  '::ffff:0:0/96', // mapped
  '64:ff9b::/96', // NAT64: how an IPv6-only network reaches IPv4 addresses
];

const REFUSED_IPV6 = [
  '2001::/23', // protocol assignments, including Teredo
  '2001:db8::/32', // documentation
  '3fff::/20', // documentation
];

type Subnet = readonly [address: string, prefix: number];

function split(range: string): Subnet {
  const [address = '', prefix] = range.split('/');
  return [address, Number(prefix)];
}

/** The IPv6 forms of a refused IPv4 range: mapped, NAT64 and 6to4. */
function carriers([address, prefix]: Subnet): Subnet[] {
  const [a, b, c, d] = address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'));
  return [
    [`::ffff:${address}`, 96 + prefix],
    [`64:ff9b::${address}`, 96 + prefix],
    [`2002:${a}${b}:${c}${d}::`, 16 + prefix],
  ];
}

const refusedIpv4 = new BlockList();
const refusedIpv6 = new BlockList();
const publicIpv6 = new BlockList();
for (const subnet of REFUSED_IPV4.map(split)) {
  refusedIpv4.addSubnet(...subnet, 'ipv4');
  for (const carrier of carriers(subnet)) refusedIpv6.addSubnet(...carrier, 'ipv6');
}
for (const subnet of REFUSED_IPV6.map(split)) refusedIpv6.addSubnet(...subnet, 'ipv6');
for (const subnet of PUBLIC_IPV6.map(split)) publicIpv6.addSubnet(...subnet, 'ipv6');

/**
 * Whether a webhook of a live program may connect to this address. Only plain addresses are accepted. Octal,
 * hexadecimal and shortened forms never get here, because resolution converts them first.
 */
export function isAllowedAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !refusedIpv4.check(address, 'ipv4');
  // A zone (`%eth0`) names an interface of this machine; public addresses have none.
  if (family !== 6 || address.includes('%')) return false;
  return publicIpv6.check(address, 'ipv6') && !refusedIpv6.check(address, 'ipv6');
}
