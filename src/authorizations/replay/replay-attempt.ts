import { timeOf } from '../../kernel/ids.ts';
import { reasonsBefore } from '../core/decide.ts';
import { isHoldOver } from '../core/hold-days.ts';
import { markedDecline, purchaseMark } from '../core/marks.ts';
import type { Asked } from '../core/rule-attempt.ts';
import { countOn, uncount } from '../core/spending.ts';
import { authenticationOf, heldAfter, minorOf, type Past, withAuthorization, withOrigin } from './past.ts';
import type { PastEvent } from './queries.ts';
import { beginning, countingMark, judge, type PastCard, type Replay, type Step, skipped } from './replay.ts';

const BEFORE_RULES = reasonsBefore('rule_declined');

/** An approved authorization, or an advice of the network of what it approved. */
export function replayAuthorization(
  replay: Replay,
  event: PastEvent,
  before: Past | undefined,
  card: PastCard,
): Step {
  const { setting } = replay;
  const { currency } = setting.program;
  const billAmountMinor = minorOf(event.billAmount, currency);
  const past = { ...withAuthorization(beginning(before, event), event), currency: event.currency };
  const asked = askedBy(event, minorOf(event.requestedAmount ?? event.billAmount, currency));
  const known = { ...past, billAmountMinor, approvedOn: past.approvedOn ?? setting.today };
  if (past.kind === 'refund' || (before && event.isAdvice)) {
    const authentication = event.authenticated ? past.authentication : (before?.authentication ?? null);
    const advised = { ...past, authentication };
    const outcome = judge(replay, { event, asked, purchase: advised, before, approved: true }, card);
    if (past.kind === 'refund') return { after: known, outcome };
    const heldMinor = heldAfter(known, event, currency);
    const moreMinor = heldMinor - past.heldMinor;
    const isCounted = moreMinor > 0n || past.approvedOn === null;
    const mark = isCounted ? purchaseMark(asked, advised, card, setting, past.counted) : undefined;
    const counted =
      moreMinor < 0n
        ? uncount(past.counted, -moreMinor)
        : countOn(past.counted, setting.today, moreMinor, mark);
    return { after: { ...known, authentication, heldMinor, counted }, outcome };
  }
  const heldMinor = heldAfter(known, event, currency);
  // Where a part was approved, the rules saw the whole.
  const unapprovedMinor = asked.billAmountMinor - billAmountMinor;
  const wantedMinor = heldMinor + (heldMinor > 0n ? unapprovedMinor : 0n);
  const purchase = wanted(replay, { event, asked, past, card }, wantedMinor);
  const outcome = judge(replay, { event, asked, purchase, before, approved: true }, card);
  const isDeclined = past.isDeclined || (replay.declined.has(event.id) && !before);
  const mark = countingMark(replay, event, before, purchaseMark(asked, past, card, setting, past.counted));
  const counted = countOn(past.counted, setting.today, heldMinor, mark);
  return { after: { ...known, heldMinor, counted, isDeclined }, outcome };
}

/** The purchase if so much more were held. */
function wanted(
  { setting }: Replay,
  { asked, past, card }: { event: PastEvent; asked: Asked; past: Past; card: PastCard },
  heldMinor: bigint,
): Past {
  const mark = purchaseMark(asked, past, card, setting, past.counted);
  return { ...past, heldMinor, counted: countOn(past.counted, setting.today, heldMinor, mark) };
}

const askedBy = ({ currency, network }: PastEvent, billAmountMinor: bigint): Asked => ({
  ...{ billAmountMinor, currency, network },
});

/** A declined authorization, a declined increment, or an advice of the network of what it declined. */
export function replayDecline(
  replay: Replay,
  event: PastEvent,
  before: Past | undefined,
  card: PastCard,
): Step {
  const isIncrement = !event.isAdvice && event.messageId !== event.externalTransactionId;
  if (before && isIncrement) return replayIncrement(replay, event, before, card);
  const { setting } = replay;
  const asked = askedBy(event, minorOf(event.billAmount, setting.program.currency));
  const past = withAuthorization(beginning(before, event), event);
  if (before && event.isAdvice) {
    const advised = { ...past, authentication: past.authentication ?? before.authentication };
    const outcome = judge(replay, { event, asked, purchase: advised, before, approved: false }, card);
    const counted = uncount(past.counted, past.heldMinor);
    const approvedOn = past.clearedMinor > 0n ? past.approvedOn : null;
    return { after: { ...advised, heldMinor: 0n, counted, approvedOn }, outcome };
  }
  const purchase = wanted(replay, { event, asked, past, card }, restOf(replay, past, asked));
  const isEvaluated = event.isAdvice || (past.kind === 'purchase' && !isBeforeRules(event));
  const outcome = isEvaluated
    ? judge(replay, { event, asked, purchase, before, approved: false }, card)
    : notEvaluated(replay, event);
  const after = before ? { ...past, type: before.type } : { ...past, billAmountMinor: asked.billAmountMinor };
  return { after: markedDecline(asked, after, card, setting, event.ruleId ?? undefined), outcome };
}

const isBeforeRules = ({ declineReason }: PastEvent): boolean =>
  declineReason !== null && BEFORE_RULES.includes(declineReason);

const notEvaluated = ({ setting, fromMs, isEarlier }: Replay, event: PastEvent) =>
  isEarlier || setting.nowMs < fromMs ? undefined : skipped(event, 'declinedBefore');

/** What a declined authorization would have held beside what has cleared. */
function restOf({ setting: { program, nowMs } }: Replay, past: Past, { billAmountMinor }: Asked): bigint {
  const restMinor = billAmountMinor - past.clearedMinor;
  const isOver = isHoldOver(program, past, timeOf(past.id), nowMs);
  return past.kind === 'refund' || past.final || isOver || restMinor < 0n ? 0n : restMinor;
}

/** An increment, approved or declined: rules compare the whole purchase. */
export function replayIncrement(
  replay: Replay,
  event: PastEvent,
  before: Past | undefined,
  card: PastCard,
): Step {
  const { setting } = replay;
  const { currency } = setting.program;
  const past = beginning(before, event);
  const minor = minorOf(event.billAmount, currency);
  const billAmountMinor = past.billAmountMinor + minor;
  const approved = event.eventName === 'authorization.increment';
  const raised: Past = {
    ...past,
    authentication: authenticationOf(event),
    heldMinor: past.heldMinor + minor,
  };
  const asked = { billAmountMinor, currency: event.currency, network: past.network };
  const mark = purchaseMark(asked, raised, card, setting, past.counted);
  const countedWith = (own: typeof mark) =>
    countOn(past.counted, setting.today, minor, own && { ...own, kind: 'more' });
  const purchase = { ...raised, counted: countedWith(mark) };
  const outcome =
    !approved && isBeforeRules(event)
      ? notEvaluated(replay, event)
      : judge(replay, { event, asked, purchase, before, approved }, card);
  if (!approved) {
    const { authentication, ...rest } = past;
    const marked = markedDecline(
      asked,
      { ...rest, authentication: raised.authentication },
      card,
      setting,
      event.ruleId ?? undefined,
    );
    return { after: { ...marked, authentication }, outcome };
  }
  const held = { ...withOrigin(past, event), billAmountMinor };
  const heldMinor = heldAfter(held, event, currency);
  return {
    after: { ...held, heldMinor, counted: countedWith(countingMark(replay, event, before, mark)) },
    outcome,
  };
}
