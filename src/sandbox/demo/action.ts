import type { Static } from 'typebox';
import type { Channel, Merchant } from '../../authorizations/rules/transaction.ts';
import type { CreateCardBody, ReissueBody, SpendControlsBody } from '../../cards/schema.ts';

export interface Money {
  amountMinor: bigint;
  currency: string;
  billAmountMinor: bigint;
}

/** The data that the merchant presents, unless it is the active card. */
export type Shown = 'wrong CVV' | 'lost card';

/** A planned action. The engine decides whether a purchase is approved. */
export type Action =
  | { kind: 'open'; card: CreateCardBody; controls: Static<typeof SpendControlsBody> | undefined }
  | {
      kind: 'authorize';
      purchase: string;
      merchant: Merchant;
      channel: Channel;
      shown: Shown | undefined;
      money: Money;
    }
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

/** An action of one cardholder, or of the program itself (`lane` -1). The actions of a lane run one after another. */
export type Planned = Action & { atMs: number; lane: number };
