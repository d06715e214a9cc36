import { invalid } from '../../kernel/error.ts';
import { foldText } from '../../kernel/fold-text.ts';
import { CALENDAR_WINDOWS, type Condition, MEASURES, PER, type Velocity, type Window } from './condition.ts';
import { readObject } from './objects.ts';
import type { Compared } from './operands.ts';
import { readMoney, readOneOf, readWholeNumber } from './values.ts';

const KEYS = ['measure', 'per', 'window', 'where'];
const LONGEST_MINUTES = 1440;
const HIGHEST_COUNT = 999_999_999;

/** Without its operator and value. `parseWhere` checks the condition, at its own path. */
export function readVelocity(
  path: string,
  value: unknown,
  parseWhere: (document: unknown) => Condition,
): Velocity {
  const given = readObject(path, value, KEYS, 'a velocity');
  const missing = ['measure', 'per', 'window'].find((key) => !Object.hasOwn(given, key));
  if (missing !== undefined) throw invalid(`${path}.${missing}`, 'is required');
  const measure = readOneOf(MEASURES)(`${path}.measure`, given['measure']);
  const per = readOneOf(PER)(`${path}.per`, given['per']);
  const window = readWindow(`${path}.window`, given['window']);
  const where = Object.hasOwn(given, 'where') ? parseWhere(given['where']) : null;
  const definition = JSON.stringify([measure, per, window, where && definitionOf(where)]);
  return { measure, per, window, where, definition };
}

function readWindow(path: string, value: unknown): Window {
  const given = readObject(path, value, ['minutes', 'calendar'], 'a window');
  if (Object.keys(given).length !== 1) throw invalid(path, 'must have either minutes or calendar');
  if (Object.hasOwn(given, 'calendar'))
    return { calendar: readOneOf(CALENDAR_WINDOWS)(`${path}.calendar`, given['calendar']) };
  return { minutes: readWholeNumber(1, LONGEST_MINUTES)(`${path}.minutes`, given['minutes']) };
}

const readCount = readWholeNumber(0, HIGHEST_COUNT);

/** How the value of a velocity's leaf is read. */
export const readMeasured = (measure: Velocity['measure']): Compared => ({
  listType: null,
  readValue: measure === 'AMOUNT' ? readMoney : (path, value) => BigInt(readCount(path, value)),
});

/** The same text for conditions that differ only in how they are written. Counters are known by it: it never changes. */
function definitionOf(condition: Condition): string {
  switch (condition.kind) {
    case 'not':
      return JSON.stringify(['not', definitionOf(condition.condition)]);
    case 'all':
    case 'any':
      return JSON.stringify([condition.kind, ...condition.conditions.map(definitionOf).sort()]);
    case 'velocity':
      return condition.velocity.definition;
    case 'field': {
      const { field, op, operand } = condition;
      const texts = [operand]
        .flat()
        .map((value) => (field.type === 'text' ? foldText(`${value}`) : `${value}`));
      // The ends of `between` keep their order: they are sorted as numbers already.
      return JSON.stringify([field.name, op, ...(op === 'between' ? texts : [...new Set(texts)].sort())]);
    }
  }
}
