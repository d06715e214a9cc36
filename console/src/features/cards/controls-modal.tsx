import { NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { categoryCodes, describeCategory } from '../../lib/merchant-categories.ts';
import { currencyDigits } from '../../lib/money.ts';
import type { CardDetails, SpendControls } from '../../lib/types.ts';
import { LIMIT_WORDS, type LimitName } from '../limits/words.ts';
import classes from './modals.module.css';
import { useCardChange } from './use-card-change.ts';

/** Names contain spaces; codes may be separated by spaces. */
const codesIn = (text: string): string[] => {
  const parts = text.split(/[,;]/).flatMap((part) => {
    const given = part.trim();
    const codes = categoryCodes(given);
    return codes.length > 0 ? codes : /^[\d\s]+$/.test(given) ? given.split(/\s+/) : [given];
  });
  return [...new Set(parts.filter(Boolean))];
};

const LIMITS = Object.keys(LIMIT_WORDS) as LimitName[];

const isCategory = (text: string): boolean => /^\d{4}$/.test(text);

type Controls = Omit<SpendControls, 'temporaryLimits'>;

export default function ControlsModal({ card, onClose }: { card: CardDetails; onClose: () => void }) {
  const { temporaryLimits: _, ...own } = card.spendControls;
  const [controls, setControls] = useState<Controls>(own);
  const set = (change: Partial<Controls>) => setControls({ ...controls, ...change });
  const wrong = [...controls.allowedMccs, ...controls.blockedMccs].some((mcc) => !isCategory(mcc));
  const mutation = useCardChange(
    card,
    (api, path, wanted: Controls) => api.put(`${path}spend-controls/`, wanted),
    { done: `Spend controls of •••• ${card.lastFour} changed`, onClose },
  );
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={`Spend controls of •••• ${card.lastFour}`}
      size="lg"
      action="Change controls"
      disabled={wrong}
      mutation={mutation}
      onConfirm={() => mutation.mutate(controls)}
      consequences={[
        'The new controls apply from the next purchase. Earlier spending today and this month counts towards the limits.',
        'Leave a limit empty for no limit. A limit of 0 declines every purchase.',
      ]}
    >
      <div className={classes.pair}>
        {LIMITS.map((field) => (
          <NumberInput
            key={field}
            label={`${LIMIT_WORDS[field]}, ${card.currency}`}
            placeholder="No limit"
            min={0}
            decimalScale={currencyDigits(card.currency)}
            thousandSeparator=","
            hideControls
            allowNegative={false}
            value={controls[field] ?? ''}
            onChange={(value) => set({ [field]: typeof value === 'number' ? value : null })}
          />
        ))}
      </div>
      <Categories
        label="Allowed merchant categories"
        description="Names or codes separated by commas, such as Groceries, 5812. Leave empty to allow all categories."
        value={controls.allowedMccs}
        onChange={(allowedMccs) => set({ allowedMccs })}
      />
      <Categories
        label="Blocked merchant categories"
        description="A blocked category is declined even if it is also allowed above."
        value={controls.blockedMccs}
        onChange={(blockedMccs) => set({ blockedMccs })}
      />
    </ConfirmModal>
  );
}

/** Codes as typed; their meanings are shown below, where there is enough room. */
function Categories({
  label,
  description,
  value,
  onChange,
}: {
  label: string;
  description: string;
  value: string[];
  onChange: (mccs: string[]) => void;
}) {
  const [text, setText] = useState(value.join(', '));
  const wrong = value.filter((mcc) => !isCategory(mcc));
  return (
    <div>
      <TextInput
        label={label}
        description={description}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          onChange(codesIn(event.currentTarget.value));
        }}
        error={wrong.length > 0}
      />
      <p className={classes.meaning} data-wrong={wrong.length > 0 || undefined} aria-live="polite">
        {wrong.length > 0
          ? `Not a 4-digit code or a known category name: ${wrong.join(', ')}`
          : value.map(describeCategory).join(', ')}
      </p>
    </div>
  );
}
