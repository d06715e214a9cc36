import { IconCreditCard, IconReceipt, IconUser } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useProgram } from '../../lib/program.ts';
import type { SearchResults } from '../../lib/types.ts';
import { customersOf, takenWords } from '../search/queries.ts';
import { usePages } from './pages.ts';
import type { Entry } from './palette-actions.tsx';

export function usePageEntries(): Entry[] {
  const { id: programId } = useProgram();
  const navigate = useNavigate();
  return usePages().map(({ to, label, icon }) => ({
    id: to,
    label,
    icon,
    run: () => void navigate({ to, params: { programId } }),
  }));
}

/** What the search found. */
export function useFoundEntries(found: SearchResults | undefined): Entry[] {
  const { id: programId } = useProgram();
  const navigate = useNavigate();
  if (!found) return [];
  const openTransaction = (transactionId: string) =>
    void navigate({
      to: '/programs/$programId/transactions/$transactionId',
      params: { programId, transactionId },
    });
  return [
    ...found.results.slice(0, 3).map(({ card, transactionId }) => ({
      id: `card:${card.id}`,
      label: `${card.cardholderName} ••••\u00a0${card.lastFour}`,
      description: transactionId === null ? 'Card' : 'Transaction',
      icon: IconCreditCard,
      run: () =>
        transactionId === null
          ? void navigate({
              to: '/programs/$programId/cards/$cardId',
              params: { programId, cardId: card.id },
            })
          : openTransaction(transactionId),
    })),
    ...customersOf(found.results).map(({ id: customerId, name }) => ({
      id: `customer:${customerId}`,
      label: name,
      description: `Customer ${customerId}`,
      icon: IconUser,
      run: () =>
        void navigate({
          to: '/programs/$programId/customers/$customerId',
          params: { programId, customerId },
        }),
    })),
    ...found.transactions.slice(0, 3).map((transaction) => ({
      id: `transaction:${transaction.id}`,
      label: `${transaction.merchant?.name ?? 'Unknown merchant'}, ${takenWords(transaction)}`,
      description: `Transaction of ${transaction.cardholderName}`,
      icon: IconReceipt,
      run: () => openTransaction(transaction.id),
    })),
  ];
}
