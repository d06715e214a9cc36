/** The accounts that every program has. Fixed ids: they need no look-up, and sort before every other id. */
const ownId = (place: number): string => `00000000-0000-8000-8000-${String(place).padStart(12, '0')}`;

export const ACCOUNTS = {
  /** The program's money. */
  master: ownId(1),
  /** What authorizations have set aside from it. */
  holds: ownId(2),
  /** The other side of all cards' available credit. */
  credit: ownId(3),
  /** Cleared purchases less refunds: what the network is to be paid. */
  settlement: ownId(4),
  /** Where the program's money came from. */
  funding: ownId(5),
  fxRevenue: ownId(6),
  atmRevenue: ownId(7),
  interchangeRevenue: ownId(8),
  transactionCost: ownId(9),
  issuanceCost: ownId(10),
  maintenanceCost: ownId(11),
  /** The other side of all costs: what is owed for them. */
  payable: ownId(12),
} as const;

export const OWN_ACCOUNT_IDS: readonly string[] = Object.values(ACCOUNTS);

const own = new Set(OWN_ACCOUNT_IDS);
export const isOwnAccount = (id: string): boolean => own.has(id);

export function nameOfAccount(id: string): string {
  const found = Object.entries(ACCOUNTS).find(([, own]) => own === id);
  return found ? found[0] : `card ${id}`;
}
