import type { Tx } from '../db/database.ts';
import { newId } from '../kernel/ids.ts';
import type { EventRecord, NewEvent } from './event.ts';
import { insertEvents } from './queries.ts';

export const recordEvent = (tx: Tx, { programId, nowMs, ...event }: EventRecord): void =>
  recordEvents(tx, programId, [{ ...event, id: newId(nowMs) }], nowMs);

/** Sends the statement without waiting for it. A failure fails the transaction. */
export const recordEvents = (tx: Tx, programId: string, events: readonly NewEvent[], nowMs: number): void =>
  insertEvents(tx, programId, events, new Date(nowMs));
