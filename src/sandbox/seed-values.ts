import type { Design } from '../cards/designs/design.ts';
import type { FeeSchedule } from '../programs/program.ts';

export const DESIGNS: Design[] = [
  { id: 'classic-black', name: 'Classic Black', stock: true, default: true, embossNameSupported: true },
  { id: 'ocean-blue', name: 'Ocean Blue', stock: true, default: false, embossNameSupported: true },
  { id: 'paper-white', name: 'Paper White', stock: true, default: false, embossNameSupported: false },
  { id: 'limited-gold', name: 'Limited Gold', stock: false, default: false, embossNameSupported: true },
];

/** Plausible values, so that every report has something to show. */
export const FEES: FeeSchedule = {
  fxFeeBps: 150,
  atmFeeMinor: 200n,
  interchangeBps: 80,
  cashInterchangeBps: -30,
  transactionCostMinor: 5n,
  transactionCostBps: 10,
  virtualIssuanceFeeMinor: 50n,
  physicalIssuanceFeeMinor: 400n,
  maintenanceFeeMinor: 50n,
};
export const FUNDING = { amountMinor: 10_000_000n, reference: 'sandbox funding' };
