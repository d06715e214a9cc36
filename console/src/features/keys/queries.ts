import { queryOptions } from '@tanstack/react-query';
import { programApi } from '../../lib/api.ts';
import type { ApiKey, ApiKeyList, NewApiKey } from '../../lib/api-types.gen.ts';
import { parseTime } from '../../lib/time.ts';

export type { ApiKey, NewApiKey };
export type Scope = ApiKey['scopes'][number];
export type KeyKind = ApiKey['kind'];

export const keysQuery = (programId: string) =>
  queryOptions({
    queryKey: [programId, 'keys'],
    queryFn: async ({ signal }) =>
      (await programApi(programId).get<ApiKeyList>('keys/', undefined, signal)).keys,
  });

/** Keys use real time, not program time. */
export function stateOf(
  { revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>,
  now = Date.now(),
): 'revoked' | 'expired' | 'ending' | 'active' {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt === null) return 'active';
  return parseTime(expiresAt).getTime() <= now ? 'expired' : 'ending';
}

export const KIND_WORDS: Record<KeyKind, string> = { merchant: 'Merchant', network: 'Card network' };

interface Words {
  label: string;
  words: string;
}

const NETWORK_SCOPES = {
  authorizations: {
    label: 'Authorizations',
    words: 'Send authorizations, clearings, refunds and reversals, and authenticate cardholders.',
  },
  clearing: { label: 'Clearing files', words: 'Send clearing files.' },
  disputes: { label: 'Disputes', words: 'Send what happens to disputes.' },
  fulfilment: { label: 'Fulfilment', words: 'Get orders for plastic cards and send their status.' },
} satisfies { [Name in Scope]?: Words };

const MERCHANT_SCOPES: Record<Exclude<Scope, keyof typeof NETWORK_SCOPES>, Words> = {
  read: { label: 'Read', words: 'View cards, transactions, reports and webhooks.' },
  write: { label: 'Write', words: 'Create, freeze, block and reissue cards; change balances and limits.' },
  credentials: {
    label: 'Credentials',
    words: 'Read full card numbers and CVVs. Grant it only to systems that show them to the cardholder.',
  },
  reveal: {
    label: 'Reveal sessions',
    words: 'Create sessions that show card numbers to cardholders in their own browser.',
  },
  decisions: {
    label: 'Decision endpoints',
    words: 'Set the URLs that decide authorizations and get one-time passwords.',
  },
  rules: { label: 'Rules', words: 'Change the rules of authorizations and their lists.' },
};

/** The permissions that a key of each type can have, in the order in which they are shown. */
export const SCOPE_WORDS: Record<KeyKind, { [Name in Scope]?: Words }> = {
  merchant: MERCHANT_SCOPES,
  network: NETWORK_SCOPES,
};

export const scopesOfKind = (kind: KeyKind): Scope[] => Object.keys(SCOPE_WORDS[kind]) as Scope[];

const PASSWORD_SCOPES: readonly Scope[] = ['credentials', 'reveal', 'decisions'];

/** A key with one of these permissions must be confirmed with the password. */
export const needsPassword = (scopes: readonly Scope[]): boolean =>
  scopes.some((scope) => PASSWORD_SCOPES.includes(scope));
