import type { Dice } from './dice.ts';
import type { Caller } from './fuzz-request.ts';
import type { Operation } from './operations.ts';
import type { Pool } from './pool.ts';
import type { Tenant } from './stage.ts';

/** Callers whose requests are always refused. */
export const CERTAIN: Partial<Record<Caller, string>> = {
  'no key': 'there is no key',
  unknown: 'the key is unknown',
  'wrong API': 'the key is for another API',
};

export function refusalOf({ id, method, template }: Operation, caller: Caller): string | undefined {
  const namesRecord = /\{(cardId|endpointId|eventId|reference_id)\}/.test(template) || /simulate/.test(id);
  if (caller === 'another program' && namesRecord) return 'the record is of another program';
  if (caller === 'another page' && (method !== 'GET' || id.endsWith('requestFile')))
    return 'the request is not from the console';
  if (caller === 'reader' && (method !== 'GET' || id === 'revealCredentials')) return 'the key may only read';
  return CERTAIN[caller];
}

export function chooseCaller({ api }: Operation, dice: Dice): Caller {
  if (api === 'open' || dice.chance(0.9)) return 'right';
  return dice.pick(
    api === 'merchant'
      ? ['no key', 'unknown', 'wrong API', 'another program', 'reader']
      : api === 'console'
        ? ['no key', 'unknown', 'wrong API', 'another page']
        : ['no key', 'unknown', 'wrong API'],
  );
}

export function keyHeaders(
  { api, template }: Operation,
  caller: Caller,
  pool: Pool,
  other: Tenant,
): Array<readonly [string, string]> {
  const { tenant } = pool;
  const { cookie, csrfToken } = template.includes('/session/') ? pool.guest : pool.session;
  if (api === 'open' || caller === 'no key') return [];
  const unknown = caller === 'unknown' ? 'a-key-that-does-not-exist' : undefined;
  if (api === 'console') {
    if (caller === 'wrong API') return [['x-payments-api-key', tenant.key]];
    if (caller === 'another page') return [['cookie', cookie]];
    return [
      ['cookie', unknown ? `emboss_session=${unknown}` : cookie],
      ['x-csrf-token', csrfToken],
    ];
  }
  if (api === 'network')
    return [['x-network-key', unknown ?? (caller === 'wrong API' ? tenant.key : tenant.networkKey)]];
  const keys: Partial<Record<Caller, string>> = {
    'wrong API': tenant.networkKey,
    'another program': other.key,
    reader: tenant.readKey,
  };
  return [['x-payments-api-key', unknown ?? keys[caller] ?? tenant.key]];
}
