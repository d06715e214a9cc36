import type { Readable } from 'node:stream';
import { refusal } from '../http/schemas.ts';
import { EmbossError } from '../kernel/error.ts';

const BUSY = 'You already have an export in progress; retry when it is complete';

/** For the schema of an export. */
export const exportBusy = refusal(429, 'Another export is in progress', BUSY);

/** Opens the export of an operator. */
export type StartExport = (operatorId: string, open: () => Readable | Promise<Readable>) => Promise<Readable>;

/** Each operator has one export at a time in a process, of whatever kind. It ends with its stream, however that ends. */
export function createExportSlots(): StartExport {
  const running = new Set<string>();
  return async (operatorId, open) => {
    if (running.has(operatorId)) throw new EmbossError(429, BUSY, { retryAfterSeconds: 10 });
    running.add(operatorId);
    const end = () => running.delete(operatorId);
    try {
      return (await open()).once('close', end);
    } catch (error) {
      end();
      throw error;
    }
  };
}
