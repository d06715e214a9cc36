import type { Attempt } from '../history.ts';
import type { Request } from './check-effects.ts';
import type { Report } from './finding.ts';
import { groupBy } from './rows.ts';

const isOk = ({ outcome }: Attempt): boolean => outcome === 'ok';
const isWithKeyOfItsOwn = ({ operation, args }: Request): boolean =>
  ['use key', 'authorization'].includes(operation) && args.key !== undefined;

/** Every server refuses a key from the moment on in which its revocation was acknowledged. */
export function checkKeys(requests: readonly Request[], report: Report): void {
  const revocations = groupBy(
    requests.filter(({ operation }) => operation === 'revoke key').flatMap(({ attempts }) => attempts),
    ({ args }) => args.key as string,
  );
  // A merchant's key lists cards, a network's key pays.
  for (const { attempts } of requests.filter(isWithKeyOfItsOwn))
    for (const use of attempts) {
      const revoked = revocations.get(use.args.key) ?? [];
      if (isOk(use) && revoked.some((one) => isOk(one) && one.returnedAt < use.invokedAt))
        report(
          'key revocation is a barrier',
          `${use.id} was let in with ${use.args.key} after it was revoked`,
        );
      if (use.status === 401 && !revoked.some(({ invokedAt }) => invokedAt < use.returnedAt))
        report(
          'key revocation is a barrier',
          `${use.id} was refused with ${use.args.key} before it was revoked`,
        );
    }
}
