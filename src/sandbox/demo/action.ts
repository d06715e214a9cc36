import type { Static } from 'typebox';
import type { Channel, Merchant } from '../../authorizations/rules/transaction.ts';
import type { CreateCardBody, ReissueBody, SpendControlsBody } from '../../cards/schema.ts';

export interface Money {
  amountMinor: bigint;
  currency: string;
  billAmountMinor: bigint;
}

/** How the card is shown, where it is not the active one without further ado. */
export type Shown = 'right CVV' | 'wrong CVV' | 'wrong expiry' | 'lost card' | 'old number';

/** What is going to happen; whether it is approved the engine decides when the time has come. */
export type Action =
  | { kind: 'open'; card: CreateCardBody; controls: Static<typeof SpendControlsBody> | undefined }
  | { kind: 'authorize'; purchase: string; merchant: Merchant; channel: Channel; shown?: Shown; money: Money }
  | { kind: 'clear'; purchase: string; part: number; final: boolean; money: Money }
  | { kind: 'reverse'; purchase: string; billAmountMinor: bigint | undefined }
  | { kind: 'refund'; purchase: string; why: 'refund' | 'dispute'; money: Money }
  | { kind: 'expire'; purchase: string }
  | { kind: 'top up'; amountMinor: bigint; reference: string }
  | { kind: 'freeze'; freeze: boolean }
  | { kind: 'block'; reason: string }
  | { kind: 'replace'; card: CreateCardBody }
  | { kind: 'renew'; renewOption: NonNullable<ReissueBody['renewOption']> }
  | { kind: 'fund'; amountMinor: bigint; reference: string };

/** An action of one cardholder, or of the program itself (`lane` -1). A lane's actions happen one after another. */
export type Planned = Action & { atMs: number; lane: number };

export const PROGRAM_LANE = -1;

export type Of<Kind extends Action['kind']> = Extract<Planned, { kind: Kind }>;
