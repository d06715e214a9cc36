/** The guarantees that a run checks. */
export const GUARANTEES = [
  'acknowledged is present',
  'refused is absent',
  'unknown is wholly in or out',
  'one effect per id',
  'money adds up',
  'no card beyond its credit',
  'responses follow from the journal',
  'the journal is whole',
  'key revocation is a barrier',
  'every event delivered',
  'nothing made up',
  'the merchant agrees',
  'reports recomputed',
  'links are fresh',
  'the audit is one chain',
  'a migration is whole or absent',
  'first success within 2 s',
  'comes to rest',
] as const;
export type Guarantee = (typeof GUARANTEES)[number];

export interface Finding {
  guarantee: Guarantee;
  text: string;
}

export type Report = (guarantee: Guarantee, text: string) => void;
