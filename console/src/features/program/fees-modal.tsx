import { NumberInput, SimpleGrid } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { useConfirmation } from '../../components/confirmation-fields.tsx';
import { amountOf } from '../../lib/amount.ts';
import type { ProgramTerms } from '../../lib/api-types.gen.ts';
import { currencyDigits } from '../../lib/money.ts';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import { termsQuery } from './queries.ts';

type Fee = keyof ProgramTerms['fees'];

/** Rates are shown in percent and sent in basis points. */
const FIELDS: ReadonlyArray<[fee: Fee, label: string, description: string]> = [
  ['fxFeeBps', 'FX fee', 'Charged to the cardholder in another currency'],
  ['atmFee', 'ATM fee', 'Charged to the cardholder for a cash withdrawal'],
  ['interchangeBps', 'Interchange', 'Earned on each clearing of a purchase'],
  ['cashInterchangeBps', 'Cash interchange', 'The same for cash; negative: paid'],
  ['transactionCost', 'Cost per clearing, fixed', 'Paid for each clearing'],
  ['transactionCostBps', 'Cost per clearing, rate', 'Paid on the amount of each clearing'],
  ['virtualIssuanceFee', 'Virtual card issuance', 'Paid for each card'],
  ['physicalIssuanceFee', 'Physical card issuance', 'Paid for each card'],
  ['maintenanceFee', 'Card maintenance', 'Paid per card and month'],
];

const isRate = (fee: Fee): boolean => fee.endsWith('Bps');
const shownOf = (fees: ProgramTerms['fees'], fee: Fee): number =>
  isRate(fee) ? Number(fees[fee]) / 100 : Number(fees[fee]);

export default function FeesModal({ terms, onClose }: { terms: ProgramTerms; onClose: () => void }) {
  const { fees, currency } = terms;
  const { id: programId } = useProgram();
  const api = useProgramApi();
  const queryClient = useQueryClient();
  const confirmation = useConfirmation('Changing fees needs your password.');
  const [typed, setTyped] = useState<Partial<Record<Fee, number | string>>>({});
  const changed = FIELDS.flatMap(([fee]): Array<[Fee, number]> => {
    const wanted = amountOf(typed[fee] ?? '');
    if (wanted === null || wanted === shownOf(fees, fee)) return [];
    return [[fee, isRate(fee) ? Math.round(wanted * 100) : wanted]];
  });
  const isEmpty = (fee: Fee) => typed[fee] !== undefined && amountOf(typed[fee]) === null;
  const mutation = useMutation({
    gcTime: 0,
    mutationFn: () =>
      api.put<ProgramTerms>('fees/', { ...Object.fromEntries(changed), ...confirmation.body }),
    onSuccess: (saved) => {
      queryClient.setQueryData(termsQuery(programId).queryKey, saved);
      showToast('Fees changed.');
      onClose();
    },
  });
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title="Change fees"
      action="Change fees"
      size="lg"
      disabled={changed.length === 0 || FIELDS.some(([fee]) => isEmpty(fee)) || !confirmation.isComplete}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
      consequences={[
        'The new fees apply to authorizations, clearings and cards from now on. What was charged stays.',
      ]}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        {FIELDS.map(([fee, label, description]) => (
          <NumberInput
            key={fee}
            label={label}
            description={description}
            suffix={isRate(fee) ? ' %' : ` ${currency}`}
            decimalScale={isRate(fee) ? 2 : currencyDigits(currency)}
            fixedDecimalScale
            hideControls
            allowNegative={fee === 'cashInterchangeBps'}
            {...(isRate(fee) && { max: 100 })}
            error={isEmpty(fee) && 'Enter a number; 0 for no fee'}
            value={typed[fee] ?? shownOf(fees, fee)}
            onChange={(value) => setTyped({ ...typed, [fee]: value })}
          />
        ))}
      </SimpleGrid>
      {confirmation.fields}
    </ConfirmModal>
  );
}
