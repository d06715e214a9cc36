import type { RuleField, RuleList } from './queries.ts';
import { METADATA_FIELD } from './words.ts';

/** In the catalogue, `card.metadata.<key>` stands for every key. */
export const ANY_KEY = '<key>';

/** What the input of a value needs to know. */
export type Measured = Pick<RuleField, 'type' | 'values' | 'listType' | 'example'>;

export const findField = (fields: readonly RuleField[], name: string): RuleField | undefined =>
  fields.find((field) => field.name === (name.startsWith(METADATA_FIELD) ? METADATA_FIELD + ANY_KEY : name));

/** How many values an operator takes: the form of its value. */
const formOf = (op: string): string =>
  ['in', 'notIn'].includes(op)
    ? 'many'
    : ['inList', 'notInList'].includes(op)
      ? 'list'
      : ['between', 'isNull'].includes(op)
        ? op
        : 'one';

/** The value with which an operator begins: that of `before`, if both take the same form. */
export function firstValue(
  { example, listType }: Measured,
  op: string,
  lists: readonly RuleList[],
  before?: { op: string; value: unknown },
): unknown {
  if (before && formOf(before.op) === formOf(op)) return before.value;
  const one = before && formOf(before.op) === 'one' ? before.value : example;
  switch (formOf(op)) {
    case 'many':
      return [one];
    case 'list':
      return lists.find(({ type }) => type === listType)?.name ?? '';
    case 'between':
      return [one, one];
    case 'isNull':
      return true;
    default:
      return before && Array.isArray(before.value) ? (before.value[0] as unknown) : example;
  }
}
