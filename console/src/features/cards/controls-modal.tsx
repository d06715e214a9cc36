import { TagsInput } from '@mantine/core';
import { useState } from 'react';
import { AmountInput } from '../../components/amount-input.tsx';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { amountOf } from '../../lib/amount.ts';
import { CATEGORIES, categoryCodes, describeCategory } from '../../lib/merchant-categories.ts';
import type { CardDetails, SpendControls } from '../../lib/types.ts';
import { LIMIT_WORDS, type LimitName } from '../limits/words.ts';
import classes from './modals.module.css';
import { useCardChange } from './use-card-change.ts';

const CHOICES = Object.keys(CATEGORIES).map(describeCategory);

/** The codes of a tag: of a choice such as "Groceries (5411)", of a name, or a code as it was typed. */
const codesIn = (tag: string): string[] => {
  const chosen = /\((\d{4})\)$/.exec(tag)?.[1];
  if (chosen) return [chosen];
  const codes = categoryCodes(tag.trim());
  return codes.length > 0 ? codes : [tag.trim()];
};

const LIMITS = Object.keys(LIMIT_WORDS) as LimitName[];

const isCategory = (text: string): boolean => /^\d{4}$/.test(text);

type Controls = Omit<SpendControls, 'temporaryLimits'>;
/** As typed. */
type Typed = Record<LimitName, string | number>;

const amountsOf = (typed: Typed) =>
  Object.fromEntries(LIMITS.map((name) => [name, amountOf(typed[name])])) as Pick<Controls, LimitName>;

export default function ControlsModal({ card, onClose }: { card: CardDetails; onClose: () => void }) {
  const { temporaryLimits: _, ...own } = card.spendControls;
  const [controls, setControls] = useState<Controls>(own);
  const [limits, setLimits] = useState(
    () => Object.fromEntries(LIMITS.map((name) => [name, own[name] ?? ''])) as Typed,
  );
  const set = (change: Partial<Controls>) => setControls({ ...controls, ...change });
  const wrong = [...controls.allowedMccs, ...controls.blockedMccs].some((mcc) => !isCategory(mcc));
  const mutation = useCardChange(
    card,
    (api, path, wanted: Controls) => api.put(`${path}spend-controls/`, wanted),
    { done: `Spend controls of ••••\u00a0${card.lastFour} changed`, onClose },
  );
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={`Spend controls of ••••\u00a0${card.lastFour}`}
      size="lg"
      action="Change controls"
      disabled={wrong}
      mutation={mutation}
      onConfirm={() => mutation.mutate({ ...controls, ...amountsOf(limits) })}
      consequences={[
        'The new controls apply from the next purchase. Earlier spending today and this month counts towards the limits.',
        'Leave a limit empty for no limit. A limit of 0 declines every purchase.',
      ]}
    >
      <div className={classes.pair}>
        {LIMITS.map((field) => (
          <AmountInput
            key={field}
            label={LIMIT_WORDS[field]}
            currency={card.currency}
            placeholder="No limit"
            value={limits[field]}
            onChange={(value) => setLimits({ ...limits, [field]: value })}
          />
        ))}
      </div>
      <Categories
        label="Allowed merchant categories"
        description="Names or 4-digit codes. Leave empty to allow all categories."
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

/** Tags with names; a code without a known name is typed. */
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
  const wrong = value.filter((mcc) => !isCategory(mcc));
  return (
    <TagsInput
      label={label}
      description={description}
      placeholder={value.length === 0 ? 'Name or code' : ''}
      data={CHOICES}
      value={value.map(describeCategory)}
      onChange={(tags) => onChange([...new Set(tags.flatMap(codesIn))])}
      splitChars={[',', ';']}
      acceptValueOnBlur
      clearable
      clearButtonProps={{ 'aria-label': `Clear: ${label}` }}
      error={wrong.length > 0 && `Not a 4-digit code or a known category name: ${wrong.join(', ')}`}
    />
  );
}
