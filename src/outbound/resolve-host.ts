import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import type { AddressRule } from './address-rules.ts';
import { failureOf } from './send-failure.ts';

export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/** Uses the operating system's resolver, so that `localhost` and the hosts file work. */
export const resolveLocally: Resolve = (hostname) => lookup(hostname, { all: true });

/** Fits within the time limit of a request even if two name servers do not respond. */
const DNS_LIMITS = { timeout: 1_500, tries: 2 };

/**
 * Uses DNS only. The operating system's resolver has two threads for all names, so a few unresponsive name servers
 * would delay all other endpoints. Each name gets a new resolver, because a resolver reads the machine's name servers
 * when it is created, unless `servers` is given.
 */
export function createPublicResolve(servers?: string[]): { resolve: Resolve; cancel: () => void } {
  const busy = new Set<Resolver>();
  return {
    resolve: async (hostname) => {
      const resolver = new Resolver(DNS_LIMITS);
      if (servers) resolver.setServers(servers);
      busy.add(resolver);
      const [ipv6, ipv4] = await Promise.allSettled([
        resolver.resolve6(hostname),
        resolver.resolve4(hostname),
      ]);
      busy.delete(resolver);
      if (ipv6.status === 'rejected' && ipv4.status === 'rejected') throw ipv4.reason;
      return [...withFamily(ipv6, 6), ...withFamily(ipv4, 4)];
    },
    cancel: () => {
      for (const resolver of busy) resolver.cancel();
    },
  };
}

const withFamily = (answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] =>
  answer.status === 'rejected' ? [] : answer.value.map((address) => ({ address, family }));

/**
 * The lookup function of a socket. The socket connects to the checked addresses, so they cannot change between the
 * check and the connection. One refused address refuses the whole name: a public name must not resolve to a private
 * address.
 */
export function checkedLookup(resolve: Resolve, { allows, refusal }: AddressRule): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (!first) callback(failureOf('host name not found'), '');
        else if (!addresses.every(({ address }) => allows(address))) callback(failureOf(refusal), '');
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) =>
        callback(
          failureOf(NO_SUCH_NAME.has(error.code) ? 'host name not found' : 'DNS server did not respond'),
          '',
        ),
    );
  };
}

const NO_SUCH_NAME = new Set<string | undefined>(['ENOTFOUND', 'ENODATA']);
