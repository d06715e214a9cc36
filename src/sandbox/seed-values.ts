import type { NewDesign } from '../cards/designs/design.ts';
import type { FeeSchedule } from '../programs/program.ts';

const IN_STOCK = { stock: true, default: false, embossNameSupported: true };
export const DESIGNS: NewDesign[] = [
  {
    ...{ id: 'classic-black', name: 'Classic Black', ...IN_STOCK, default: true },
    look: { from: '#15181e', to: '#3c4350', pattern: 'arcs' },
  },
  {
    ...{ id: 'ocean-blue', name: 'Ocean Blue', ...IN_STOCK },
    look: { from: '#0a3d73', to: '#1b8fbf', pattern: 'rings' },
  },
  {
    ...{ id: 'paper-white', name: 'Paper White', ...IN_STOCK, embossNameSupported: false },
    look: { from: '#fcfbf8', to: '#e7e3da', pattern: 'lines' },
  },
  {
    ...{ id: 'limited-gold', name: 'Limited Gold', ...IN_STOCK, stock: false },
    look: { from: '#5f420f', to: '#c1923a', pattern: 'arcs' },
  },
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
