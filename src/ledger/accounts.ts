/** The accounts of every program. Their ids are fixed, so they need no look-up and sort before all other ids. */
const ownId = (index: number): string => `00000000-0000-8000-8000-${String(index).padStart(12, '0')}`;

export const ACCOUNTS = {
  /** The program's money. */
  master: ownId(1),
  /** Reserved by authorizations. */
  holds: ownId(2),
  /** The contra account of all cards' available credit. */
  credit: ownId(3),
  /** Cleared purchases less refunds: the amount owed to the network. */
  settlement: ownId(4),
  /** The source of the program's funding. */
  funding: ownId(5),
  fxRevenue: ownId(6),
  atmRevenue: ownId(7),
  interchangeRevenue: ownId(8),
  transactionCost: ownId(9),
  issuanceCost: ownId(10),
  maintenanceCost: ownId(11),
  /** The contra account of all costs: the amount owed for them. */
  payable: ownId(12),
  /** What the network has moved for card numbers that no card has. */
  suspense: ownId(13),
} as const;

export const OWN_ACCOUNT_IDS: readonly string[] = Object.values(ACCOUNTS);

const own = new Set(OWN_ACCOUNT_IDS);
export const isOwnAccount = (id: string): boolean => own.has(id);

export function nameOfAccount(id: string): string {
  const found = Object.entries(ACCOUNTS).find(([, own]) => own === id);
  return found ? found[0] : `card ${id}`;
}
