import type { Operation } from './operations.ts';
import type { Delivery } from './wire.ts';

/** The caller: a refusal is certain for all but the first. */
export type Caller =
  | 'right'
  | 'no key'
  | 'unknown'
  | 'wrong API'
  | 'another program'
  | 'reader'
  | 'another page';

export interface FuzzRequest {
  /** What was done to a valid request, for the report. */
  trick: string;
  operation: Operation;
  /** Whether the answer must be one that the document lists for the operation. */
  isDocumented: boolean;
  caller: Caller;
  method: string;
  target: string;
  parameters: Record<string, string>;
  headers: Array<readonly [string, string]>;
  body: Buffer | undefined;
  /** The body as the server reads it, where that is certain. */
  value: unknown;
  /** Why it must be refused. */
  refusedFor: string | undefined;
  /** What else is done to the bytes of the head. */
  wire: ((head: string) => string) | undefined;
  delivery: Delivery;
}
