import { type Static, Type } from 'typebox';
import { ENTRY_MODES, INITIATORS, type NetworkData } from '../../cards/network-data.ts';
import { presentedData } from '../../cards/network-data-schema.ts';
import { readDecimal } from '../../cards/read-network.ts';
import { isDay } from '../../kernel/calendar.ts';
import { maskNumbersOf } from '../../kernel/card-numbers.ts';
import { toAlpha3 } from '../../kernel/countries.ts';
import { invalid } from '../../kernel/error.ts';
import type { Counter } from '../../kernel/metric.ts';
import { formatAmount, MAX_AMOUNT_MINOR, parseAmount } from '../../kernel/money.ts';
import { removeInvisible } from '../../kernel/text.ts';
import { EXEMPTIONS, type Program } from '../../programs/program.ts';

const Given = Type.Object(presentedData);
export type GivenData = Partial<Static<typeof Given>>;

export const UNKNOWN_WORDS: Counter<{ field: string }> = {
  type: 'counter',
  name: 'emboss_network_unknown_words_total',
  help: 'Words in messages of the network that Emboss does not know and keeps as null, by field.',
  labels: {
    field: [
      'initiator',
      'entry_mode',
      'exemption',
      'token_requestor',
      'terminal_id',
      'retrieval_reference',
      'acquirer_country',
      'arn',
      'settlement_date',
    ],
  },
};

const LONGEST = 255;

/** Null: the message gave none of the fields. `onUnknown` gets the name of each field whose word is not known. */
export function readMessageData(
  { bin, currency: cardCurrency }: Pick<Program, 'bin' | 'currency'>,
  given: GivenData,
  currency: string | undefined,
  onUnknown: (field: string) => void,
): NetworkData | null {
  const data: Record<string, unknown> = {};
  for (const field of Object.keys(presentedData) as Array<keyof GivenData>) {
    const value = given[field];
    if (value === undefined) continue;
    data[field] = value === null ? null : read(field, value);
    if (data[field] === null && value !== null) onUnknown(field);
  }
  return Object.keys(data).length > 0 ? data : null;

  function read(field: keyof GivenData, value: string | number | boolean): unknown {
    switch (field) {
      case 'recurring':
      case 'pre_authorization':
        return value;
      case 'initiator':
        return knownWord(INITIATORS, value);
      case 'entry_mode':
        return knownWord(ENTRY_MODES, value);
      case 'exemption':
        return knownWord(EXEMPTIONS, value);
      case 'acquirer_country':
        return toAlpha3(value as string | number);
      case 'settlement_date':
        return isDay(String(value)) ? value : null;
      case 'cash_back_amount': {
        const backCurrency = currency ?? cardCurrency;
        return formatAmount(readDecimal(field, String(value), backCurrency), backCurrency);
      }
      case 'interchange_amount':
        return formatAmount(readInterchange(String(value), cardCurrency), cardCurrency);
      case 'token_requestor':
      case 'terminal_id':
      case 'retrieval_reference':
      case 'arn':
        return shortText(bin, String(value));
    }
  }
}

const knownWord = (words: readonly string[], value: unknown): string | null =>
  words.find((known) => known === value) ?? null;

const shortText = (bin: string, value: string): string | null => {
  const shown = maskNumbersOf(bin, removeInvisible(value)).trim();
  return shown.length > 0 && shown.length <= LONGEST ? shown : null;
};

/** What the network says that the program earns; undefined: by the fee schedule. */
export const interchangeOf = (
  { interchange_amount: amount }: GivenData,
  cardCurrency: string,
): bigint | undefined =>
  amount === undefined || amount === null ? undefined : readInterchange(amount, cardCurrency);

function readInterchange(amount: string, currency: string): bigint {
  const minor = parseAmount(amount, currency);
  if (minor === undefined) throw invalid('interchange_amount', `has too many decimals for ${currency}`);
  if (minor > MAX_AMOUNT_MINOR || minor < -MAX_AMOUNT_MINOR)
    throw invalid('interchange_amount', 'is out of range');
  return minor;
}
