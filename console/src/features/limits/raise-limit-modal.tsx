import { SegmentedControl, Select } from '@mantine/core';
import { useState } from 'react';
import { AmountInput } from '../../components/amount-input.tsx';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { amountOf } from '../../lib/amount.ts';
import { formatMoney } from '../../lib/money.ts';
import { DAY_MS, formatMoment } from '../../lib/time.ts';
import type { CardDetails } from '../../lib/types.ts';
import { useNow } from '../../lib/use-now.ts';
import { useCardChange } from '../cards/use-card-change.ts';
import { useBounds } from './queries.ts';
import { LIMIT_WORDS, RAISABLE, type RaisableLimit } from './words.ts';

/** The server allows 90 days; the clocks of browser and server differ a little. */
const CLOCK_DIFFERENCE_MS = 60_000;
const DAYS = ['1', '7', '30', '90'];

/** Raises a limit of the card for a time. `needed`: what the declined purchase would have needed. */
export default function RaiseLimitModal({
  card,
  limit,
  needed,
  onClose,
}: {
  card: CardDetails;
  limit?: RaisableLimit;
  needed?: number;
  onClose: () => void;
}) {
  const names = RAISABLE.filter((name) => card.spendControls[name] !== null);
  const [name, setName] = useState(limit ?? names[0] ?? 'dailyLimit');
  const [typed, setTyped] = useState<number | string>(needed ?? '');
  const amount = amountOf(typed);
  const [days, setDays] = useState('1');
  const now = useNow();
  const bounds = useBounds();
  const ends = new Date(now.getTime() + Number(days) * DAY_MS - CLOCK_DIFFERENCE_MS);
  const shown = (value: number) => formatMoney(value, card.currency);
  const own = card.spendControls[name];
  const most = bounds && own !== null ? own * bounds.factor : undefined;
  const problem = problemOf(amount, own, most, shown);
  const mutation = useCardChange(
    card,
    (api, _path, value: { amount: number; endsAt: string }) =>
      api.put(`cards/${encodeURIComponent(card.id)}/temporary-limits/`, {
        temporaryLimits: { [name]: value },
      }),
    { done: `${LIMIT_WORDS[name]} of ••••\u00a0${card.lastFour} raised`, onClose },
  );
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={`Raise a limit of ••••\u00a0${card.lastFour} for a time`}
      action="Raise limit"
      disabled={amount === null || problem !== undefined}
      mutation={mutation}
      onConfirm={() => mutation.mutate({ amount: Number(amount), endsAt: ends.toISOString() })}
      consequences={[
        `Applies from the next purchase until ${formatMoment(ends)}. Then the limit is ${own === null ? 'off' : shown(own)} again.`,
        'What was already spent today and this month still counts.',
      ]}
    >
      <Select
        label="Limit"
        data={names.map((value) => ({ value, label: LIMIT_WORDS[value] }))}
        value={name}
        allowDeselect={false}
        onChange={(value) => value && setName(value as RaisableLimit)}
      />
      <AmountInput
        label="Raise to"
        currency={card.currency}
        description={own === null ? undefined : `Now ${shown(own)}`}
        value={typed}
        onChange={setTyped}
        error={problem}
        data-autofocus
      />
      <SegmentedControl
        aria-label="For how long"
        value={days}
        onChange={setDays}
        data={DAYS.filter((value) => !bounds || Number(value) <= bounds.days).map((value) => ({
          value,
          label: value === '1' ? '1 day' : `${value} days`,
        }))}
      />
    </ConfirmModal>
  );
}

/** `most`: undefined means that there is no bound. */
function problemOf(
  amount: number | null,
  own: number | null,
  most: number | undefined,
  shown: (value: number) => string,
): string | undefined {
  if (amount === null) return undefined;
  if (own !== null && amount <= own) return `Must be more than ${shown(own)}.`;
  return most !== undefined && amount > most
    ? `Your role can raise it to at most ${shown(most)}. A manager can raise it further.`
    : undefined;
}
