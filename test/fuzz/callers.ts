import type { Dice } from './dice.ts';
import type { Caller } from './fuzz-request.ts';
import type { Operation } from './operations.ts';
import type { Pool } from './pool.ts';
import type { Tenant } from './stage.ts';

/** Whose requests are refused whatever they ask. */
export const CERTAIN: Partial<Record<Caller, string>> = {
  nobody: 'nobody asks',
  unknown: 'the key is unknown',
  'wrong door': 'the key is for another door',
};

export function refusalOf({ id, method, template }: Operation, caller: Caller): string | undefined {
  const namesRecord = /\{(cardId|endpointId|eventId|reference_id)\}/.test(template) || /simulate/.test(id);
  if (caller === 'stranger' && namesRecord) return 'the record is of another program';
  if (caller === 'another page' && (method !== 'GET' || id.endsWith('requestFile')))
    return 'no page of ours asks';
  if (caller === 'reader' && (method !== 'GET' || id === 'revealCredentials')) return 'the key may only read';
  return CERTAIN[caller];
}

export function chooseCaller({ door }: Operation, dice: Dice): Caller {
  if (door === 'open' || dice.chance(0.9)) return 'right';
  return dice.pick(
    door === 'merchant'
      ? ['nobody', 'unknown', 'wrong door', 'stranger', 'reader']
      : door === 'console'
        ? ['nobody', 'unknown', 'wrong door', 'another page']
        : ['nobody', 'unknown', 'wrong door'],
  );
}

export function keyHeaders(
  { door, template }: Operation,
  caller: Caller,
  pool: Pool,
  stranger: Tenant,
): Array<readonly [string, string]> {
  const { tenant } = pool;
  const { cookie, csrfToken } = template.includes('/session/') ? pool.guest : pool.session;
  if (door === 'open' || caller === 'nobody') return [];
  const unknown = caller === 'unknown' ? 'no-key-that-anybody-has' : undefined;
  if (door === 'console') {
    if (caller === 'wrong door') return [['x-payments-api-key', tenant.key]];
    if (caller === 'another page') return [['cookie', cookie]];
    return [
      ['cookie', unknown ? `emboss_session=${unknown}` : cookie],
      ['x-csrf-token', csrfToken],
    ];
  }
  if (door === 'network')
    return [['x-network-key', unknown ?? (caller === 'wrong door' ? tenant.key : tenant.networkKey)]];
  const keys: Partial<Record<Caller, string>> = {
    'wrong door': tenant.networkKey,
    stranger: stranger.key,
    reader: tenant.readKey,
  };
  return [['x-payments-api-key', unknown ?? keys[caller] ?? tenant.key]];
}
