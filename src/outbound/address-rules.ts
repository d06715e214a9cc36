import { BlockList, isIP } from 'node:net';
import { remembered } from '../kernel/remembered.ts';
import { isAllowedAddress } from './allowed-address.ts';

/** Which addresses a request may connect to. The rule is applied to the address of each connection. */
export interface AddressRule {
  allows(address: string): boolean;
  /** Whether the program may see the start of the response from this address. */
  shows(address: string): boolean;
  /** The error message of a refused connection. It names the setting that allows it. */
  refusal: string;
}

/** By program mode. */
export interface AddressRules {
  live: AddressRule;
  sandbox: AddressRule;
}

export interface AddressSettings {
  /** `silent`: allowed, but responses are not shown. */
  loopback: 'refused' | 'silent' | 'shown';
  /** Addresses and ranges that the operator allows in addition to public ones. */
  privateRanges: readonly string[];
  sandboxPrograms: boolean;
}

/**
 * Link-local addresses, and addresses at which clouds serve credentials. A wider range in the setting does not allow
 * them; only a range within one of these ranges does.
 */
const GUARDED_RANGES = [
  '169.254.0.0/16',
  '168.63.129.16/32',
  '100.100.100.200/32',
  '192.0.0.192/32',
  'fe80::/10',
  'fd00:ec2::/32',
  'fd20:ce::/32',
];

/** The rule of live programs: public addresses only. */
export const PUBLIC_ONLY: AddressRule = {
  allows: isAllowedAddress,
  shows: () => true,
  refusal: 'address not allowed',
};

export const createAddressRules = ({
  loopback,
  privateRanges,
  sandboxPrograms,
}: AddressSettings): AddressRules => ({
  live: PUBLIC_ONLY,
  sandbox: sandboxPrograms ? sandboxRule(loopback, privateRanges) : SWITCHED_OFF,
});

const SWITCHED_OFF: AddressRule = {
  allows: () => false,
  shows: () => false,
  refusal: 'not sent: SANDBOX_PROGRAMS is off',
};

function sandboxRule(loopback: AddressSettings['loopback'], ranges: readonly string[]): AddressRule {
  const isGuarded = memberOf(GUARDED_RANGES);
  const isListedGuarded = memberOf(ranges.filter(liesInGuarded));
  const isListed = memberOf(ranges);
  const allowsPrivate = (address: string) =>
    isGuarded(address) ? isListedGuarded(address) : isListed(address);
  const isOpen = (address: string) => isAllowedAddress(address) || allowsPrivate(address);
  return {
    // A look into several lists costs more than the rest of a request.
    allows: remembered((address) => isOpen(address) || (loopback !== 'refused' && isLoopback(address))),
    shows: remembered((address) => isOpen(address) || (loopback === 'shown' && isLoopback(address))),
    refusal: 'address not allowed; see WEBHOOK_PRIVATE_ADDRESSES',
  };
}

type Subnet = readonly [address: string, prefix: number, family: 'ipv4' | 'ipv6'];

function subnetOf(range: string): Subnet {
  const [address = '', prefix] = range.split('/');
  return isIP(address) === 4
    ? [address, Number(prefix ?? 32), 'ipv4']
    : [address, Number(prefix ?? 128), 'ipv6'];
}

/** `BlockList` treats an IPv4-mapped address (`::ffff:127.0.0.1`) as the IPv4 address. */
function memberOf(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) list.addSubnet(...subnetOf(range));
  return (address) => {
    const family = isIP(address);
    // A zone (`%eth0`) names an interface of this machine, so no range can contain it.
    return family !== 0 && !address.includes('%') && list.check(address, family === 4 ? 'ipv4' : 'ipv6');
  };
}

function liesInGuarded(range: string): boolean {
  const [address, prefix] = subnetOf(range);
  return GUARDED_RANGES.some((guarded) => prefix >= subnetOf(guarded)[1] && memberOf([guarded])(address));
}

const isLoopback = memberOf(['127.0.0.0/8', '::1/128']);
