import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import type { AddressRule } from './address-rules.ts';
import { failureOf } from './send-failure.ts';

export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/** As every program on this machine resolves names, so that `localhost` and the hosts file work. */
export const resolveLocally: Resolve = (hostname) => lookup(hostname, { all: true });

/** Within the time limit of a request even when each of two name servers is silent. */
const DNS_LIMITS = { timeout: 1_500, tries: 2 };

/**
 * By DNS alone. The machine's own way has two threads for all names: a few names whose servers keep silent would hold up
 * every other endpoint. A resolver per name, since each reads the machine's name servers anew, unless they are
 * given.
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
 * What a socket asks before it connects: the addresses that it gets are the ones it tries, so nothing can change between
 * the check and the connection. One refused address refuses the name: a public name has no business beside a private one.
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
