import { Button, NumberInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Panel } from '../../components/page.tsx';
import { amountOf } from '../../lib/amount.ts';
import { currencyDigits } from '../../lib/money.ts';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import { showToast } from '../../lib/toasts.ts';
import type { SupportLimits } from '../../lib/types.ts';
import { supportLimitsQuery } from './queries.ts';
import classes from './support-limits.module.css';
import { LIMIT_WORDS, RAISABLE, type RaisableLimit } from './words.ts';

/** How far support may raise the limits of a card for a time. Admins change it. */
export function SupportLimitsPanel() {
  const { id: programId } = useProgram();
  const query = useQuery(supportLimitsQuery(programId));
  return (
    <Panel title="Temporary limits by support">
      <p className={classes.intro}>
        Support may raise the limits of a card for up to 90 days, to at most these amounts. Without an amount,
        only managers and admins can raise the limit.
      </p>
      <Loaded query={query} outline={null}>
        {(bounds) => <Bounds key={JSON.stringify(bounds)} bounds={bounds} />}
      </Loaded>
    </Panel>
  );
}

function Bounds({ bounds }: { bounds: SupportLimits }) {
  const { currency, id: programId } = useProgram();
  const api = useProgramApi();
  const queryClient = useQueryClient();
  const mayChange = useMay('admin');
  const [typed, setTyped] = useState<Record<RaisableLimit, string | number>>(() => ({
    transactionLimit: bounds.transactionLimit ?? '',
    dailyLimit: bounds.dailyLimit ?? '',
    monthlyLimit: bounds.monthlyLimit ?? '',
  }));
  const wanted: SupportLimits = {
    transactionLimit: amountOf(typed.transactionLimit),
    dailyLimit: amountOf(typed.dailyLimit),
    monthlyLimit: amountOf(typed.monthlyLimit),
  };
  const saving = useMutation({
    mutationFn: (limits: SupportLimits) => api.put<SupportLimits>('support-limits/', limits),
    onSuccess: (limits) => {
      queryClient.setQueryData(supportLimitsQuery(programId).queryKey, limits);
      showToast('Temporary limits by support changed');
    },
  });
  const isSame = RAISABLE.every((name) => wanted[name] === bounds[name]);
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate(wanted);
      }}
    >
      {RAISABLE.map((name) => (
        <NumberInput
          key={name}
          label={`${LIMIT_WORDS[name]}, ${currency}`}
          placeholder="Not allowed"
          min={0}
          decimalScale={currencyDigits(currency)}
          thousandSeparator=","
          hideControls
          allowNegative={false}
          readOnly={!mayChange}
          value={typed[name]}
          onChange={(value) => setTyped({ ...typed, [name]: value })}
        />
      ))}
      {mayChange && (
        <Button type="submit" disabled={isSame} loading={saving.isPending}>
          Save
        </Button>
      )}
      {saving.error && <ErrorPanel error={saving.error} />}
    </form>
  );
}
