import type { NetworkData } from '../../cards/network-data.ts';
import type { Acceptor } from '../../cards/read-network.ts';
import { MS_PER_DAY } from '../../kernel/calendar.ts';
import type { Program } from '../../programs/program.ts';

/** Lodging, vehicle rental and cruise lines: airline-style ranges of single brands, and the general codes. */
const LONG_MCCS: ReadonlyArray<readonly [from: number, to: number]> = [
  [3351, 3500],
  [3501, 3999],
  [4411, 4411],
  [7011, 7012],
  [7512, 7513],
  [7519, 7519],
];

interface Held {
  acceptor: Pick<Acceptor, 'mcc'> | null;
  network: NetworkData | null;
}

/** Money is held until the guest leaves or the vehicle is back, and for as long where the network pre-authorizes. */
export const isLongHold = ({ acceptor, network }: Held): boolean =>
  network?.pre_authorization === true ||
  (acceptor !== null &&
    LONG_MCCS.some(([from, to]) => Number(acceptor.mcc) >= from && Number(acceptor.mcc) <= to));

/** Whether the days of a hold are over that began to count at `sinceMs`. */
export const isHoldOver = (
  { holdDays, longHoldDays }: Pick<Program, 'holdDays' | 'longHoldDays'>,
  held: Held,
  sinceMs: number,
  nowMs: number,
): boolean => sinceMs < nowMs - (isLongHold(held) ? longHoldDays : holdDays) * MS_PER_DAY;
