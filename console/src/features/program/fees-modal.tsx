import { NumberInput, SimpleGrid } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { AmountInput } from '../../components/amount-input.tsx';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { useConfirmation } from '../../components/confirmation-fields.tsx';
import { amountOf } from '../../lib/amount.ts';
import type { ProgramTerms, RequestedApproval } from '../../lib/api-types.gen.ts';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import { useWaiting } from '../approvals/use-waiting.tsx';
import { FEES, type Fee, isRate } from './fee-words.ts';
import { termsQuery } from './queries.ts';

const shownOf = (fees: ProgramTerms['fees'], fee: Fee): number | string =>
  isRate(fee) ? Number(fees[fee]) / 100 : fees[fee];

export default function FeesModal({ terms, onClose }: { terms: ProgramTerms; onClose: () => void }) {
  const { fees, currency } = terms;
  const { id: programId } = useProgram();
  const api = useProgramApi();
  const queryClient = useQueryClient();
  const waiting = useWaiting(onClose);
  const confirmation = useConfirmation('Changing fees needs your password.');
  const [typed, setTyped] = useState<Partial<Record<Fee, number | string>>>({});
  const changed = FEES.flatMap(([fee]): Array<[Fee, number]> => {
    const wanted = amountOf(typed[fee] ?? '');
    if (wanted === null || wanted === Number(shownOf(fees, fee))) return [];
    return [[fee, isRate(fee) ? Math.round(wanted * 100) : wanted]];
  });
  const isEmpty = (fee: Fee) => typed[fee] !== undefined && amountOf(typed[fee]) === null;
  const mutation = useMutation({
    gcTime: 0,
    mutationFn: () =>
      api.put<ProgramTerms | RequestedApproval>('fees/', {
        ...Object.fromEntries(changed),
        ...confirmation.body,
      }),
    onSuccess: (saved) => {
      if (waiting.show(saved)) return;
      queryClient.setQueryData(termsQuery(programId).queryKey, saved as ProgramTerms);
      showToast('Fees changed.');
      onClose();
    },
  });
  if (waiting.dialog) return waiting.dialog;
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title="Change fees"
      action="Change fees"
      size="lg"
      disabled={changed.length === 0 || FEES.some(([fee]) => isEmpty(fee)) || !confirmation.isComplete}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
      consequences={[
        'The new fees apply to authorizations, clearings and cards from now on. What was charged stays.',
        ...(terms.secondPersonAbove === null ? [] : ['Another administrator must approve the change.']),
      ]}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        {FEES.map(([fee, label, description]) => {
          const field = {
            description,
            error: isEmpty(fee) && 'Enter a number; 0 for no fee',
            value: typed[fee] ?? shownOf(fees, fee),
            onChange: (value: number | string) => setTyped({ ...typed, [fee]: value }),
          };
          if (!isRate(fee)) return <AmountInput key={fee} label={label} currency={currency} {...field} />;
          return (
            <NumberInput
              key={fee}
              label={`${label}, %`}
              decimalScale={2}
              max={100}
              allowNegative={fee === 'cashInterchangeBps'}
              hideControls
              {...field}
            />
          );
        })}
      </SimpleGrid>
      {confirmation.fields}
    </ConfirmModal>
  );
}
