import type { Attempt } from '../history.ts';
import type { Request } from './check-effects.ts';
import type { Report } from './finding.ts';
import { groupBy } from './rows.ts';

/** What was forbidden is not allowed from the moment on in which somebody was told so, by any server, in real time. */

/** So long after it was sent, a request that nobody answered can still come through. */
const LATEST_MS = 30_000;

export function checkBarriers(requests: readonly Request[], report: Report): void {
  const changes = groupBy(
    requests.filter(({ operation }) => ['freeze', 'unfreeze', 'block', 'reissue'].includes(operation)),
    ({ args }) => args.card as string,
  );
  for (const request of requests)
    if (request.operation === 'authorize')
      checkAuthorization(request, changes.get(request.args.card) ?? [], report);
  checkKeys(requests, report);
}

const triesOf = (changes: readonly Request[], operation: string): Attempt[] =>
  changes.filter((change) => change.operation === operation).flatMap(({ attempts }) => attempts);
const isOk = ({ outcome }: Attempt): boolean => outcome === 'ok';

/** It was decided at some moment between the first time it was sent and the first time it was answered. */
function checkAuthorization(request: Request, changes: readonly Request[], report: Report): void {
  const [answer] = request.answers;
  if (!answer) return;
  const from = Math.min(...request.attempts.map(({ invokedAt }) => invokedAt));
  const to = Math.min(...request.attempts.filter(isOk).map(({ returnedAt }) => returnedAt));
  const { id } = request;
  const freezes = triesOf(changes, 'freeze');
  const blocks = triesOf(changes, 'block');
  const reissues = changes.filter(({ operation }) => operation === 'reissue');
  if (answer.approved) {
    if (blocks.some((block) => isOk(block) && block.returnedAt < from))
      report('block is a barrier', `${id} was approved after its card was blocked`);
    const frozen = freezes.filter((freeze) => isOk(freeze) && freeze.returnedAt < from);
    const thaws = triesOf(changes, 'unfreeze');
    if (frozen.some((freeze) => !thaws.some((thaw) => mayThaw(thaw, freeze, to))))
      report('freeze is a barrier', `${id} was approved while its card was frozen`);
    if (
      reissues.some(
        ({ args, attempts }) =>
          args.before >= request.args.wallet && attempts.some((one) => isOk(one) && one.returnedAt < from),
      )
    )
      report('reissue is a barrier', `${id} was approved with a number that was replaced before`);
    return;
  }
  const reason = answer.decline_reason;
  const asked = (tries: readonly Attempt[]) => tries.some(({ invokedAt }) => invokedAt < to);
  if (reason === 'card_frozen' && !asked(freezes))
    report('freeze is a barrier', `${id}: nobody had frozen its card`);
  if (reason === 'card_blocked' && !asked(blocks))
    report('block is a barrier', `${id}: nobody had blocked its card`);
  if (reason === 'invalid_card_number' && !asked(reissues.flatMap(({ attempts }) => attempts)))
    report('reissue is a barrier', `${id}: nobody had replaced its number`);
}

/** Whether it can have come between a freeze and the end of an authorization. */
function mayThaw(thaw: Attempt, freeze: Attempt, to: number): boolean {
  if (thaw.invokedAt >= to || thaw.outcome === 'refused') return false;
  const latest = thaw.outcome === 'ok' ? thaw.returnedAt : thaw.invokedAt + LATEST_MS;
  return latest > freeze.invokedAt;
}

const isWithKeyOfItsOwn = ({ operation, args }: Request): boolean =>
  ['use key', 'authorize'].includes(operation) && args.key !== undefined;

function checkKeys(requests: readonly Request[], report: Report): void {
  const revocations = groupBy(
    requests.filter(({ operation }) => operation === 'revoke key').flatMap(({ attempts }) => attempts),
    ({ args }) => args.key as string,
  );
  // Of a merchant it is a look at the cards, of a network a payment.
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
          `${use.id} was turned away with ${use.args.key} before anybody revoked it`,
        );
    }
}
