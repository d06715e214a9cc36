import type { Acceptor } from '../../cards/read-network.ts';
import { MS_PER_DAY } from '../../kernel/calendar.ts';
import type { Program } from '../../programs/program.ts';

/** Lodging and vehicle rental: airline-style ranges of single brands, and the general codes. */
const LONG_MCCS: ReadonlyArray<readonly [from: number, to: number]> = [
  [3351, 3500],
  [3501, 3999],
  [7011, 7012],
  [7512, 7513],
  [7519, 7519],
];

/** Whether a merchant category holds money until the guest leaves or the vehicle is back. */
export const isLongHold = (mcc: string | null | undefined): boolean =>
  typeof mcc === 'string' && LONG_MCCS.some(([from, to]) => Number(mcc) >= from && Number(mcc) <= to);

/** A hold that was created before this moment has expired. */
export const holdsExpireBefore = (
  { holdDays, longHoldDays }: Pick<Program, 'holdDays' | 'longHoldDays'>,
  acceptor: Pick<Acceptor, 'mcc'> | null,
  nowMs: number,
): number => nowMs - (isLongHold(acceptor?.mcc) ? longHoldDays : holdDays) * MS_PER_DAY;
