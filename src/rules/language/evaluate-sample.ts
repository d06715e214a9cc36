import { invalid } from '../../kernel/error.ts';
import type { VelocityValues } from './comparisons.ts';
import { type CompileContext, compileFor } from './compile.ts';
import { type Condition, velocitiesOf } from './condition.ts';
import type { Explanation } from './explain.ts';
import { findField, notAField } from './fields.ts';
import type { Value } from './values.ts';
import { readMeasured } from './velocity.ts';

/** The values of a sample by the names of their fields. A field that it leaves out is null. */
type Sample = ReadonlyMap<string, Value | null>;

/** What a condition says of a sample: `{"<field>": value, …, velocity: [values in the order of the leaves]}`. */
export function evaluateSample(condition: Condition, sample: unknown, context: CompileContext): Explanation {
  if (typeof sample !== 'object' || sample === null || Array.isArray(sample))
    throw invalid('sample', 'must be an object with the values of fields');
  const { velocity, ...fields } = sample as Record<string, unknown>;
  const compiled = compileFor<Sample>(
    condition,
    context,
    ({ name }) =>
      (values) =>
        values.get(name) ?? null,
  );
  return compiled.explain(readFields(fields, context), readVelocities(velocity, condition, context));
}

function readFields(given: Record<string, unknown>, { currency, customerKeyOf }: CompileContext): Sample {
  const values = new Map<string, Value | null>();
  for (const [name, value] of Object.entries(given)) {
    const field = findField(name);
    if (!field) throw notAField('sample', name);
    const path = `sample.${name}`;
    if (value === null && !field.nullable) throw invalid(path, 'must not be null');
    const read = value === null ? null : field.readValue(path, value, currency);
    values.set(name, field.listType === 'customer' ? customerKeyOf(read as string) : read);
  }
  // As every attempt derives it.
  if (values.has('currency') && !values.has('foreign'))
    values.set('foreign', values.get('currency') !== currency);
  return values;
}

/** Without values, no velocity counts anything. */
function readVelocities(given: unknown, condition: Condition, context: CompileContext): VelocityValues {
  const path = 'sample.velocity';
  const leaves = velocitiesOf(condition);
  if (given === undefined) return [];
  if (!Array.isArray(given)) throw invalid(path, 'must be a list of the values of the velocities');
  if (given.length !== leaves.length)
    throw invalid(path, `must have one value for each velocity: ${leaves.length}`);
  return leaves.map(({ velocity: { measure } }, index) => {
    const value: unknown = given[index];
    if (value === null) return null;
    return readMeasured(measure).readValue(`${path}[${index}]`, value, context.currency) as bigint;
  });
}
