import type { SandboxAuthentication } from '@emboss/sdk';
import { Button, Checkbox, Collapse, TextInput, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconCreditCard } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { ChoiceSelect, choicesOf } from '../../components/choice-select.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { CATEGORIES, describeCategory } from '../../lib/merchant-categories.ts';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import type { CardDetails } from '../../lib/types.ts';
import { CHANNEL_WORDS } from '../transactions/filters.ts';
import { ChallengeSteps } from './challenge-steps.tsx';
import { MessageFields } from './message-fields.tsx';
import { authenticationOf, bodyOf, EMPTY, PRESETS, type Purchase } from './purchase.ts';
import classes from './swipe-form.module.css';

const SuggestField = lazy(() => import('../../components/list/suggest-field.tsx'));

const CATEGORY_CHOICES = Object.keys(CATEGORIES).map(describeCategory);

/** The data that a merchant would send. A preset fills the form; every field can be changed. */
export function SwipeForm({
  card,
  onSwiped,
}: {
  card: CardDetails;
  onSwiped: (transactionId: string) => void;
}) {
  const { id: programId } = useProgram();
  const api = useProgramApi();
  const queryClient = useQueryClient();
  const context = { currency: card.currency, available: card.availableCredit };
  const [purchase, setPurchase] = useState<Purchase>(() => ({
    ...EMPTY,
    ...PRESETS[0]?.purchase(context),
  }));
  const [chosen, setChosen] = useState<string | undefined>(PRESETS[0]?.label);
  const [detailed, { toggle, open }] = useDisclosure(false);
  const set = (change: Partial<Purchase>) => {
    setChosen(undefined);
    setPurchase((current) => ({ ...current, ...change }));
  };
  const [begun, setBegun] = useState<SandboxAuthentication | null>(null);
  const authenticating = useMutation({
    mutationFn: () =>
      api.post<SandboxAuthentication>('sandbox/authentications/', authenticationOf(card.id, purchase)),
    onSuccess: setBegun,
  });
  const authorizing = useMutation({
    mutationFn: (authenticationId?: string) =>
      api.post<{ transaction_id: string | null }>(
        'sandbox/authorizations/',
        bodyOf(card.id, purchase, card.currency, authenticationId),
      ),
    onSuccess: ({ transaction_id: transactionId }) => {
      setBegun(null);
      void queryClient.invalidateQueries({ queryKey: [programId] });
      if (transactionId !== null) onSwiped(transactionId);
    },
  });
  const mutation = purchase.isSecure ? authenticating : authorizing;
  const isForeign = purchase.currency !== card.currency;
  if (begun)
    return (
      <ChallengeSteps
        begun={begun}
        mutation={authorizing}
        onAuthorize={() => authorizing.mutate(begun.authentication_id)}
        onClose={() => setBegun(null)}
      />
    );
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (purchase.isSecure) authenticating.mutate();
        else authorizing.mutate(undefined);
      }}
    >
      <fieldset className={classes.presets}>
        <legend className={classes.legend}>Scenario</legend>
        {PRESETS.map((preset) => (
          <UnstyledButton
            key={preset.label}
            className={classes.preset}
            aria-pressed={chosen === preset.label}
            onClick={() => {
              const change = preset.purchase(context);
              setPurchase((current) => ({ ...current, ...change }));
              setChosen(preset.label);
              if (change.expiry) open();
            }}
          >
            <span className={classes.presetName}>{preset.label}</span>
            <span className={classes.presetWords}>{preset.words}</span>
          </UnstyledButton>
        ))}
      </fieldset>
      <div className={classes.fields}>
        <TextInput
          label="Amount"
          inputMode="decimal"
          required
          withAsterisk={false}
          value={purchase.amount}
          onChange={(event) => set({ amount: event.currentTarget.value })}
        />
        <TextInput
          label="Currency"
          required
          withAsterisk={false}
          maxLength={3}
          value={purchase.currency}
          onChange={(event) => set({ currency: event.currentTarget.value.toUpperCase() })}
        />
        {isForeign && (
          <TextInput
            label={`Amount, ${card.currency}`}
            inputMode="decimal"
            required
            withAsterisk={false}
            value={purchase.billAmount}
            onChange={(event) => set({ billAmount: event.currentTarget.value })}
          />
        )}
        <ChoiceSelect
          label="Channel"
          data={choicesOf(CHANNEL_WORDS)}
          value={purchase.channel}
          onChange={(channel) => set({ channel, isSecure: false })}
        />
      </div>
      {purchase.channel === 'ECOMMERCE' && !purchase.isCredit && (
        <Checkbox
          label="Authenticate the cardholder with 3-D Secure first"
          checked={purchase.isSecure}
          onChange={(event) => set({ isSecure: event.currentTarget.checked })}
        />
      )}
      <Button
        variant="subtle"
        size="xs"
        className={classes.more ?? ''}
        onClick={toggle}
        aria-expanded={detailed}
        leftSection={<IconAdjustmentsHorizontal size={15} />}
      >
        {detailed ? 'Hide details' : 'Merchant, card data and message data'}
      </Button>
      <Collapse expanded={detailed}>
        <div className={classes.fields}>
          <TextInput
            label="Merchant"
            required
            withAsterisk={false}
            maxLength={255}
            value={purchase.merchant}
            onChange={(event) => set({ merchant: event.currentTarget.value })}
          />
          <Suspense>
            <SuggestField
              label="Category (MCC)"
              maxLength={50}
              required
              withAsterisk={false}
              data={CATEGORY_CHOICES}
              value={purchase.mcc}
              onChange={(mcc) => set({ mcc })}
            />
          </Suspense>
          <TextInput
            label="CVV"
            description="Optional. Three wrong CVVs in a row block the card."
            inputWrapperOrder={['label', 'input', 'description']}
            inputMode="numeric"
            maxLength={4}
            autoComplete="off"
            value={purchase.cvv}
            onChange={(event) => set({ cvv: event.currentTarget.value })}
          />
          <TextInput
            label="Expiry"
            description="Default: the card's expiry."
            placeholder="YYYY-MM"
            inputWrapperOrder={['label', 'input', 'description']}
            maxLength={7}
            autoComplete="off"
            value={purchase.expiry}
            onChange={(event) => set({ expiry: event.currentTarget.value })}
          />
        </div>
        <MessageFields purchase={purchase} onChange={set} />
      </Collapse>
      {mutation.error && <ErrorPanel error={mutation.error} />}
      <Button type="submit" loading={mutation.isPending} leftSection={<IconCreditCard size={18} />}>
        {purchase.isSecure
          ? 'Pay with 3-D Secure'
          : purchase.isCredit
            ? 'Announce refund'
            : 'Simulate purchase'}
      </Button>
    </form>
  );
}
