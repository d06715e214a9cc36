import { isIP } from 'node:net';
import { invalid } from '../kernel/error.ts';
import { isCleanText } from '../kernel/text.ts';
import type { AddressRule, AddressRules } from './address-rules.ts';
import { isAllowedAddress } from './allowed-address.ts';

const MAX_LENGTH = 2048;

/** Names that only resolve within a private network. Names without a dot are private too. */
const PRIVATE_NAME = /^[^.]*$|\.(?:localhost|local|internal)$/;

/** The host to connect to: an IPv6 address without brackets, a name without the trailing dot. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');

/**
 * The normalised URL of an endpoint. Throws a 400 that names the rule. The addresses of a name may change at any time,
 * so they are checked at every connection (send-request.ts) and not here.
 */
export function readEndpointUrl(text: string, mode: keyof AddressRules, addresses: AddressRules): string {
  if (text.length > MAX_LENGTH) throw invalid('url', `must be at most ${MAX_LENGTH} characters`);
  // The URL parser would silently drop some of these characters.
  if (!isCleanText(text) || /[\s\\]/u.test(text))
    throw invalid('url', 'must not contain spaces, control characters or backslashes');
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw invalid('url', 'must be an absolute URL, such as https://example.com/webhooks');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    throw invalid('url', 'must not contain a user name or password');
  if (text.includes('#')) throw invalid('url', 'must not contain a fragment (#…)');
  if (mode === 'live') requirePublic(url);
  else requireAllowed(url, addresses.sandbox);
  // Normalisation may lengthen the URL by escapes.
  if (url.href.length > MAX_LENGTH) throw invalid('url', `must be at most ${MAX_LENGTH} characters`);
  return url.href;
}

function requirePublic(url: URL): void {
  if (url.protocol !== 'https:') throw invalid('url', 'must begin with https:// in a live program');
  const host = hostOf(url);
  const isPublic = isIP(host) === 0 ? !PRIVATE_NAME.test(host) : isAllowedAddress(host);
  if (!isPublic) throw invalid('url', 'must point to a public address in a live program');
}

/** Checks only addresses that are known now. Other names are checked at every connection. */
function requireAllowed(url: URL, { allows }: AddressRule): void {
  const host = hostOf(url);
  const address = /(?:^|\.)localhost$/.test(host) ? '127.0.0.1' : host;
  if (isIP(address) !== 0 && !allows(address))
    throw invalid(
      'url',
      'must point to a public address; the setting WEBHOOK_PRIVATE_ADDRESSES, or HOST=127.0.0.1 for loopback, allows others',
    );
}
