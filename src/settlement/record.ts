import type { Message } from '../authorizations/core/message.ts';
import type { Secret } from '../kernel/secret.ts';
import type { Program } from '../programs/program.ts';
import type { FileRecord } from './record-schema.ts';

/** Debit: what we owe the network more by. All other types are credit. */
const DEBITS: ReadonlySet<string> = new Set(['clearing', 'refund_reversal', 'fee', 'dispute_debit']);
export const isDebit = ({ record_type }: Pick<FileRecord, 'record_type'>): boolean => DEBITS.has(record_type);

type RecordMessage = Extract<Message, { kind: 'clearing' | 'refund' | 'reversal' }>;

/** How a record becomes the message that the network API would have made of it. Injected, because that is a sibling folder. */
export interface RecordMessages {
  /** Throws the 400 of the network API for what it would never accept. Without a query. */
  check(program: Program, record: FileRecord): void;
  read(
    program: Program,
    record: FileRecord,
    settlementDate: string,
    number: Secret | undefined,
  ): Promise<RecordMessage>;
}

/** A refund, a clearing or the reversal of one. */
export const messageKindOf = ({ record_type: type }: FileRecord): RecordMessage['kind'] =>
  type === 'clearing' || type === 'refund' ? type : 'reversal';

/** What a record names or is: another one that names the same must not be booked together with it. */
export const namesOf = ({ network_id, external_transaction_id, reverses }: FileRecord): string[] =>
  [network_id, external_transaction_id, reverses].filter((name) => name !== undefined);
