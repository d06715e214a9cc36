import { MS_PER_DAY } from '../../kernel/calendar.ts';
import { type EmbossError, invalid } from '../../kernel/error.ts';
import { isMetadataKey } from '../../kernel/metadata.ts';
import { nearestName } from '../../kernel/nearest.ts';
import { type Attempt, CARD_TYPES, CHANNELS, ENTRY_MODES, INITIATORS, TYPES } from '../attempt.ts';
import {
  readBoolean,
  readComparedText,
  readCountry,
  readCurrency,
  readMcc,
  readMerchantId,
  readMoney,
  readOneOf,
  readText,
  readWholeNumber,
  type Value,
  type ValueReader,
} from './values.ts';
import { didYouMean, quoted } from './words.ts';

export const FIELD_TYPES = ['money', 'number', 'code', 'enum', 'text', 'boolean'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

export const LIST_TYPES = ['merchant', 'country', 'mcc', 'customer', 'text'] as const;
export type ListType = (typeof LIST_TYPES)[number];

export const NUMBER_OPERATORS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'between'] as const;
const CODE_OPERATORS = ['eq', 'ne', 'in', 'notIn', 'inList', 'notInList'] as const;
const TEXT_OPERATORS = ['eq', 'startsWith', 'contains'] as const;

export type Operator =
  | (typeof NUMBER_OPERATORS)[number]
  | (typeof CODE_OPERATORS)[number]
  | (typeof TEXT_OPERATORS)[number]
  | 'isNull';

const OPERATORS: Record<FieldType, readonly Operator[]> = {
  money: NUMBER_OPERATORS,
  number: NUMBER_OPERATORS,
  code: CODE_OPERATORS,
  enum: CODE_OPERATORS,
  text: TEXT_OPERATORS,
  boolean: ['eq'],
};

/** A field of the catalogue: all that the language knows of it. */
export interface Field {
  name: string;
  type: FieldType;
  operators: readonly Operator[];
  /** Whether an attempt may lack it. */
  nullable: boolean;
  /** Of an enum; null: others. */
  values: readonly string[] | null;
  /** The type of the lists for `inList`; null: it takes none. */
  listType: ListType | null;
  example: string | number | boolean;
  /** The value of an attempt. */
  read(attempt: Attempt): Value | null;
  /** A value of a document or a sample, or a 400 that names its path. */
  readValue: ValueReader;
}

type Given = Pick<Field, 'type' | 'example' | 'read' | 'readValue'> & Partial<Field>;

const field = (name: string, given: Given): Field => {
  const { type, nullable = false } = given;
  const operators = nullable ? [...OPERATORS[type], 'isNull' as const] : OPERATORS[type];
  const takesLists = operators.includes('inList');
  return { name, operators, nullable, values: null, listType: takesLists ? 'text' : null, ...given };
};

const oneOf = (name: string, values: readonly string[], given: Pick<Given, 'read' | 'nullable'>): Field =>
  field(name, {
    type: 'enum',
    values,
    example: values[0] as string,
    readValue: readOneOf(values),
    ...given,
  });

const yesNo = (name: string, given: Pick<Given, 'read' | 'nullable'>): Field =>
  field(name, { type: 'boolean', example: true, readValue: readBoolean, ...given });

const MS_PER_HOUR = 3_600_000;
/** 1 January 1970 was a Thursday. */
const DAYS_BEFORE_THURSDAY = 3;
const DAYS_OF_A_CENTURY = 36_525;

/** All fields but `card.metadata.<key>`, of which there is one for each key. */
const FIXED: readonly Field[] = [
  // Without decimals, so that it is valid in every currency.
  field('billAmount', {
    type: 'money',
    example: '200',
    read: ({ billAmountMinor }) => billAmountMinor,
    readValue: readMoney,
  }),
  field('currency', {
    type: 'code',
    example: 'EUR',
    read: ({ currency }) => currency,
    readValue: readCurrency,
  }),
  field('country', {
    type: 'code',
    nullable: true,
    listType: 'country',
    example: 'DEU',
    read: ({ country }) => country,
    readValue: readCountry,
  }),
  field('mcc', {
    type: 'code',
    nullable: true,
    listType: 'mcc',
    example: '7995',
    read: ({ mcc }) => mcc,
    readValue: readMcc,
  }),
  oneOf('channel', CHANNELS, { nullable: true, read: ({ channel }) => channel }),
  oneOf('type', TYPES, { read: ({ type }) => type }),
  field('merchant.id', {
    type: 'code',
    nullable: true,
    listType: 'merchant',
    example: 'M-1001',
    read: ({ merchantId }) => merchantId,
    readValue: readMerchantId,
  }),
  field('merchant.name', {
    type: 'text',
    nullable: true,
    example: 'Corner Shop',
    read: ({ merchantName }) => merchantName,
    readValue: readComparedText,
  }),
  yesNo('foreign', { read: ({ currency, programCurrency }) => currency !== programCurrency }),
  field('hour', {
    type: 'number',
    example: 22,
    read: ({ atMs }) => Math.floor(atMs / MS_PER_HOUR) % 24,
    readValue: readWholeNumber(0, 23),
  }),
  field('weekday', {
    type: 'number',
    example: 1,
    read: ({ atMs }) => ((Math.floor(atMs / MS_PER_DAY) + DAYS_BEFORE_THURSDAY) % 7) + 1,
    readValue: readWholeNumber(1, 7),
  }),
  oneOf('initiator', INITIATORS, { nullable: true, read: ({ initiator }) => initiator }),
  yesNo('recurring', { nullable: true, read: ({ recurring }) => recurring }),
  oneOf('entryMode', ENTRY_MODES, { nullable: true, read: ({ entryMode }) => entryMode }),
  yesNo('authenticated', { read: ({ authenticated }) => authenticated }),
  yesNo('cvvGiven', { read: ({ cvvGiven }) => cvvGiven }),
  oneOf('card.type', CARD_TYPES, { read: ({ card }) => card.type }),
  field('card.ageDays', {
    type: 'number',
    example: 30,
    read: ({ atMs, card }) => Math.floor((atMs - card.createdAtMs) / MS_PER_DAY),
    readValue: readWholeNumber(0, DAYS_OF_A_CENTURY),
  }),
  field('card.design', {
    type: 'code',
    example: 'd0000000-0000-4000-8000-000000000001',
    read: ({ card }) => card.designId,
    readValue: readText,
  }),
  field('customer.id', {
    type: 'code',
    listType: 'customer',
    example: 'customer-42',
    read: ({ customerKey }) => customerKey,
    readValue: readText,
  }),
];

const METADATA = 'card.metadata.';

/** A label of the merchant, compared as it is stored. */
const metadataField = (key: string): Field =>
  field(METADATA + key, {
    type: 'code',
    nullable: true,
    example: 'gold',
    read: ({ card: { metadata } }) => {
      const value: unknown = metadata?.[key];
      // What every object has, such as `constructor`, is no text.
      return typeof value === 'string' ? value : null;
    },
    readValue: readText,
  });

/** The catalogue, in the order in which people read it. */
export const FIELDS: readonly Field[] = [...FIXED, metadataField('<key>')];

const byName = new Map(FIXED.map((known) => [known.name, known]));

/** Undefined: there is no such field. */
export function findField(name: string): Field | undefined {
  const key = name.startsWith(METADATA) ? name.slice(METADATA.length) : '';
  return isMetadataKey(key) ? metadataField(key) : byName.get(name);
}

/** For a name that is of no field, with the field that it most likely means: `merchant.mcc` is `mcc`. */
export function notAField(path: string, wrong: string): EmbossError {
  const names = FIELDS.map(({ name }) => name);
  const lastPart = (name: string) => name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const [same, another] = names.filter((name) => lastPart(name) === lastPart(wrong));
  const nearest = same !== undefined && another === undefined ? same : nearestName(wrong, names);
  return invalid(path, `${quoted(wrong)} is not a field${didYouMean(nearest)}`);
}
