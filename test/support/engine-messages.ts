import type { Limits } from './engine-model.ts';
import type { Credentials } from './server-fleet.ts';

/** What a card network sends, in the words of the contract; amounts billed are minor units of the program's euros. */

export interface Authorization {
  kind: 'authorization';
  id: string;
  number: string;
  expiry: string;
  cvv?: string;
  amount: string;
  currency: string;
  billMinor: bigint;
  channel: 'ECOMMERCE' | 'POS' | 'ATM';
  mcc: string;
}
export interface Reversal {
  kind: 'reversal';
  id: string;
  purchaseId: string;
  /** Absent: all that is held. */
  billMinor?: bigint;
}
export interface Clearing {
  kind: 'clearing';
  id: string;
  purchaseId: string;
  number?: string;
  amount: string;
  currency: string;
  billMinor: bigint;
  final: boolean;
}
export interface Refund {
  kind: 'refund';
  id: string;
  purchaseId?: string;
  number?: string;
  amount: string;
  currency: string;
  billMinor: bigint;
}
export type Message = Authorization | Reversal | Clearing | Refund;

/** One try of a message or a merchant's call, whichever copy it was, with the step of the script it belonged to. */
export interface Attempt {
  step: number;
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies freely
  body: any;
}

/** A message under one id, however often it is sent. It is written down when it is first sent. */
export interface NetworkOp {
  write(wallet: readonly Credentials[]): Message;
  message?: Message;
  attempts: Attempt[];
}

export type MerchantCall =
  | { act: 'freeze'; freeze: boolean }
  | { act: 'block'; reason: string }
  | { act: 'reissue' }
  | { act: 'adjust'; amountMinor: bigint }
  | { act: 'controls'; limits: Partial<Limits> };
export interface MerchantOp {
  key: string;
  call: MerchantCall;
  attempts: Attempt[];
}

export type Item = { op: NetworkOp; copies: number } | { merchant: MerchantOp };
/** What is sent at once. The next step begins when all of it is answered. */
export type Step = Item[];
