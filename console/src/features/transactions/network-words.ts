import type { MessageData } from '@emboss/sdk';
import { isDay } from '../../components/list/search.ts';
import { countryName } from '../../lib/countries.ts';
import { formatUtcDay } from '../../lib/time.ts';

type Words = Record<string, string>;

export const INITIATORS: Words = { CARDHOLDER: 'Cardholder', MERCHANT: 'Merchant' };
export const EXEMPTIONS: Words = {
  LOW_VALUE: 'Low value',
  RISK_ANALYSIS: 'Transaction risk analysis',
  TRUSTED_MERCHANT: 'Trusted merchant',
  CORPORATE: 'Corporate payment',
  NONE: 'None',
};
const ENTRY_MODES: Words = {
  CHIP: 'Chip',
  CONTACTLESS: 'Contactless',
  MAGSTRIPE: 'Magnetic stripe',
  MANUAL: 'Keyed in',
  STORED: 'Stored card data',
};

const plain = (value: string): string => value;
const yesOrNo = (value: string): string => (value === 'true' ? 'Yes' : 'No');
const dayIn = (value: string): string => (isDay(value) ? formatUtcDay(value) : value);
const wordIn =
  (words: Words) =>
  (value: string): string =>
    words[value] ?? value;

/** In the order in which they are shown; the page shows the ARN among the ids. */
const FIELDS: Record<
  Exclude<keyof MessageData, 'arn'>,
  readonly [label: string, words: (value: string) => string]
> = {
  initiator: ['Started by', wordIn(INITIATORS)],
  recurring: ['Recurring', yesOrNo],
  entry_mode: ['Card data', wordIn(ENTRY_MODES)],
  exemption: ['Exemption from authentication', wordIn(EXEMPTIONS)],
  pre_authorization: ['Pre-authorization', yesOrNo],
  cash_back_amount: ['Cash back', plain],
  token_requestor: ['Wallet', plain],
  terminal_id: ['Terminal', plain],
  retrieval_reference: ['Retrieval reference', plain],
  acquirer_country: ["Acquirer's country", countryName],
  settlement_date: ['Settlement date', dayIn],
  interchange_amount: ['Interchange, by the network', plain],
};

/** What the network said, in words. Null: it said a word that Emboss does not know. */
export const networkWords = (network: MessageData | null): Array<[label: string, value: string]> =>
  Object.entries(FIELDS).flatMap(([name, [label, words]]) => {
    const value = network?.[name as keyof MessageData];
    if (value === undefined) return [];
    return [[label, value === null ? 'Unknown' : words(String(value))]];
  });
