import { NumberInput, Select, TagsInput } from '@mantine/core';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { MinuteInput } from '../../components/day-input.tsx';
import type { CardDetails } from '../../lib/types.ts';
import { sentTime, typedTime } from './usage-words.ts';
import { useCardChange } from './use-card-change.ts';

const MERCHANTS = [
  { value: 'any', label: 'Any merchant' },
  { value: 'FIRST', label: 'The merchant of the first purchase' },
  { value: 'list', label: 'These merchants' },
];

type Rule = Omit<NonNullable<CardDetails['usage']>, 'used' | 'lockedTo'>;

/** Limits what the card is used for, or lifts the rule. */
export default function UsageModal({ card, onClose }: { card: CardDetails; onClose: () => void }) {
  const { usage } = card;
  const [purchases, setPurchases] = useState<string | number>(usage?.purchases ?? '');
  const [listed, setListed] = useState(Array.isArray(usage?.merchants) ? usage.merchants : []);
  const [where, setWhere] = useState(Array.isArray(usage?.merchants) ? 'list' : (usage?.merchants ?? 'any'));
  const [from, setFrom] = useState(typedTime(usage?.from));
  const [until, setUntil] = useState(typedTime(usage?.until));
  const rule: Rule = {
    purchases: purchases === '' ? null : Number(purchases),
    merchants: where === 'FIRST' ? 'FIRST' : where === 'list' ? listed : null,
    from: sentTime(from, usage?.from),
    until: sentTime(until, usage?.until),
  };
  const isEmpty = Object.values(rule).every((limit) => limit === null);
  const isBackwards = from !== '' && until !== '' && until <= from;
  const mutation = useCardChange(
    card,
    (api, path, wanted: Rule | null) => api.put(`${path}usage/`, { usage: wanted }),
    { done: `Usage of ••••\u00a0${card.lastFour} changed`, onClose },
  );
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={`Usage of ••••\u00a0${card.lastFour}`}
      action="Change usage"
      disabled={isBackwards || (where === 'list' && listed.length === 0)}
      mutation={mutation}
      onConfirm={() => mutation.mutate(isEmpty ? null : rule)}
      consequences={[
        'Applies from the next purchase. Purchases that were made count, whatever the rule was.',
        'Leave everything empty to allow any purchase.',
      ]}
    >
      <NumberInput
        label="Purchases"
        description="A purchase counts while something of it is held or has cleared."
        placeholder="Any number"
        min={1}
        max={1000}
        allowDecimal={false}
        value={purchases}
        onChange={setPurchases}
        data-autofocus
      />
      <Select
        label="Merchants"
        data={MERCHANTS}
        value={where}
        allowDeselect={false}
        onChange={(value) => value && setWhere(value)}
      />
      {where === 'list' && (
        <TagsInput
          label="Merchant ids"
          description="As transactions show them. Up to 50."
          value={listed}
          onChange={setListed}
          maxTags={50}
          splitChars={[',', ';']}
          acceptValueOnBlur
          clearable
          clearButtonProps={{ 'aria-label': 'Clear: Merchant ids' }}
        />
      )}
      <MinuteInput label="From (UTC)" value={from} onChange={setFrom} />
      <MinuteInput
        label="Until (UTC)"
        value={until}
        onChange={setUntil}
        error={isBackwards && 'Must be after the start.'}
      />
    </ConfirmModal>
  );
}
