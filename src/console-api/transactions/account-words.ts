import { ACCOUNTS } from '../../ledger/accounts.ts';

const WORDS: Record<keyof typeof ACCOUNTS, string> = {
  master: 'Master account',
  holds: 'Holds',
  credit: 'Card credit',
  settlement: 'Settlement with the network',
  funding: 'Funding',
  fxRevenue: 'FX fees earned',
  atmRevenue: 'ATM fees earned',
  interchangeRevenue: 'Interchange earned',
  transactionCost: 'Transaction costs',
  issuanceCost: 'Card issuance costs',
  maintenanceCost: 'Card maintenance costs',
  payable: 'Costs payable',
  suspense: 'Suspense: unknown cards',
};
const wordsOf = new Map<string, string>(
  Object.entries(WORDS).map(([name, words]) => [ACCOUNTS[name as keyof typeof ACCOUNTS], words]),
);

/** The name of an account for operators. The only card account that a transaction moves is that of its own card. */
export const accountInWords = (accountId: string): string =>
  wordsOf.get(accountId) ?? "Card's available credit";
