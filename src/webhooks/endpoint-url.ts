import { isIP } from 'node:net';
import { invalid } from '../kernel/error.ts';
import { isCleanText } from '../kernel/text.ts';
import type { ProgramMode } from '../programs/program.ts';
import type { AddressRule, AddressRules } from './sending/address-rules.ts';
import { isAllowedAddress } from './sending/allowed-address.ts';

const MAX_LENGTH = 2048;

/** Names that never lead out of a private network; one without a dot never does either. */
const PRIVATE_NAME = /^[^.]*$|\.(?:localhost|local|internal)$/;

/** The host as it is connected to: an IPv6 address without brackets, a name without the root's dot at its end. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');

/**
 * The URL of an endpoint in its normal form, or a 400 that says what is wrong. What a name resolves to may change at any
 * time, so it is not looked at here but whenever a connection is made (send-request.ts).
 */
export function readEndpointUrl(text: string, mode: ProgramMode, addresses: AddressRules): string {
  if (text.length > MAX_LENGTH) throw invalid('url', `must be at most ${MAX_LENGTH} characters`);
  // The parser would silently drop some of these.
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
  // Escapes may have made it longer.
  if (url.href.length > MAX_LENGTH) throw invalid('url', `must be at most ${MAX_LENGTH} characters`);
  return url.href;
}

function requirePublic(url: URL): void {
  if (url.protocol !== 'https:') throw invalid('url', 'must begin with https:// in a live program');
  const host = hostOf(url);
  const isPublic = isIP(host) === 0 ? !PRIVATE_NAME.test(host) : isAllowedAddress(host);
  if (!isPublic) throw invalid('url', 'must point to a public address in a live program');
}

/** Only what is certain now: what other names resolve to is checked whenever a connection is made. */
function requireAllowed(url: URL, { allows }: AddressRule): void {
  const host = hostOf(url);
  const address = /(?:^|\.)localhost$/.test(host) ? '127.0.0.1' : host;
  if (isIP(address) !== 0 && !allows(address))
    throw invalid(
      'url',
      'must point to a public address; the setting WEBHOOK_PRIVATE_ADDRESSES, or HOST=127.0.0.1 for loopback, allows others',
    );
}
