import { ClearingFile, EXAMPLE_COMPLETED, EXAMPLE_REJECTED } from './schema.ts';

/** Beside the events of `settlement` that `authorizations/` describes. */
export const CLEARING_FILE_EVENTS = {
  'clearing_file.completed': {
    title: 'ClearingFileCompletedEvent',
    summary: 'Every record of a clearing file has an outcome',
    data: ClearingFile,
    exampleData: EXAMPLE_COMPLETED,
  },
  'clearing_file.rejected': {
    title: 'ClearingFileRejectedEvent',
    summary: 'A clearing file has a fault, and nothing of it was booked',
    data: ClearingFile,
    exampleData: EXAMPLE_REJECTED,
  },
};
