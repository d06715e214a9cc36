import { expect, expectTypeOf, test } from 'vitest';
import type {
  AuthorizationDeclinedEvent,
  AuthorizationResponse,
  Emboss,
  FileRequestState,
} from '../../sdk/src/index.ts';

/** These hold when they compile: `npm run check` reads them. */
test('a response type is narrowed by its fields', () => {
  const outcome = (answer: AuthorizationResponse): string =>
    answer.approved ? `approved ${answer.approval_code.length}` : answer.decline_reason;
  expectTypeOf<
    Extract<AuthorizationResponse, { approved: true }>['transaction_id']
  >().toEqualTypeOf<string>();
  expectTypeOf<Extract<AuthorizationResponse, { approved: false }>['decline_code']>().toEqualTypeOf<string>();
  const declined = { approved: false, decline_reason: 'daily_limit' } as AuthorizationResponse;
  expect(outcome(declined)).toBe('daily_limit');

  const linkOf = (state: FileRequestState): string =>
    state.status === 'ready' ? state.link + state.expireAt.toFixed() : 'pending';
  expect(linkOf({ reference_id: 'r', status: 'pending', link: null, expireAt: null })).toBe('pending');
});

test('a decline reason is one of the documented ones', () => {
  type Reason = AuthorizationDeclinedEvent['data']['decline_reason'];
  const reason: Reason = 'insufficient_funds';
  expectTypeOf<null>().not.toExtend<Reason>();
  expectTypeOf<
    Extract<AuthorizationResponse, { approved: false }>['decline_reason']
  >().toEqualTypeOf<Reason>();
  // @ts-expect-error Not a decline reason.
  const misspelt: Reason = 'insuficient_funds';
  expect([reason, misspelt]).toHaveLength(2);
});

test('idempotencyKey is an option only for operations that take one', () => {
  type OptionsOf<Call extends (...args: never) => unknown> = NonNullable<Parameters<Call>[1]>;
  expectTypeOf<OptionsOf<Emboss['cards']['create']>>().toHaveProperty('idempotencyKey');
  expectTypeOf<OptionsOf<Emboss['webhookEndpoints']['add']>>().toHaveProperty('idempotencyKey');
  expectTypeOf<OptionsOf<Emboss['cards']['get']>>().not.toHaveProperty('idempotencyKey');
});
