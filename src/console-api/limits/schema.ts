import { Type } from 'typebox';
import { TemporaryLimitsBody } from '../../cards/schema.ts';
import { TERM_RANGES } from '../../programs/program.ts';

const wholeNumber = ([minimum, maximum]: readonly [number, number], description: string) =>
  Type.Integer({ minimum, maximum, description });

export const SupportLimits = Type.Object(
  {
    factor: wholeNumber(
      TERM_RANGES.supportLimitFactor,
      'The highest multiple of the limit. 1: support may not raise limits.',
    ),
    days: wholeNumber(TERM_RANGES.supportLimitDays, 'The highest number of days.'),
  },
  {
    title: 'SupportLimits',
    description: "How far operators with the role support may raise a card's limits for a time.",
  },
);

export const TemporaryLimitsChange = Type.Object(
  { temporaryLimits: TemporaryLimitsBody },
  { title: 'TemporaryLimitsChange' },
);
