import { Button, NumberInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ChoiceSelect, choicesOf } from '../../components/choice-select.tsx';
import { type NodeProps, textOf, type Velocity, type VelocityLeaf } from './condition.ts';
import { useFault } from './editor-context.ts';
import { firstValue, type Measured } from './fields.ts';
import classes from './rule-form.module.css';
import { ValueInput } from './value-input.tsx';
import { MEASURES, operatorWords, PER, WINDOWS } from './words.ts';

const OPERATORS = ['gt', 'gte', 'lt', 'lte', 'eq', 'ne', 'between'];
const COUNT: Measured = { type: 'number', values: null, listType: null, example: 5 };
const AMOUNT: Measured = { type: 'money', values: null, listType: null, example: '500' };
const measuredBy = (measure: string): Measured => (measure === 'AMOUNT' ? AMOUNT : COUNT);
const LONGEST_MINUTES = 1440;

/** What is counted, for whom and in which time, and the limit. */
export function VelocityEditor({
  leaf,
  path,
  depth,
  onChange,
  editWhere,
}: {
  leaf: VelocityLeaf;
  path: string;
  depth: number;
  onChange: (leaf: VelocityLeaf) => void;
  editWhere: (props: NodeProps) => ReactNode;
}) {
  const { velocity, op, value } = leaf;
  const { measure, per, window, where } = velocity;
  const wherePath = `${path}.velocity.where`;
  const fault = useFault(path, [wherePath]);
  const set = (change: Partial<Velocity>) => onChange({ ...leaf, velocity: { ...velocity, ...change } });
  const isMinutes = 'minutes' in window;
  const type = measuredBy(measure);
  return (
    <div className={classes.leaf} data-labelled>
      <ChoiceSelect<string>
        label="What is counted"
        data={choicesOf(MEASURES)}
        value={measure}
        onChange={(chosen) => {
          const after = measuredBy(chosen);
          const isSame = after === type;
          onChange({
            ...leaf,
            velocity: { ...velocity, measure: chosen },
            value: isSame ? value : firstValue(after, op, []),
          });
        }}
      />
      <ChoiceSelect<string>
        label="For each"
        data={choicesOf(PER)}
        value={per}
        onChange={(chosen) => set({ per: chosen })}
      />
      <ChoiceSelect<string>
        label="Time"
        data={choicesOf(WINDOWS)}
        value={isMinutes ? 'minutes' : textOf(window.calendar)}
        onChange={(chosen) => set({ window: chosen === 'minutes' ? { minutes: 60 } : { calendar: chosen } })}
      />
      {isMinutes && (
        <NumberInput
          label="Minutes"
          min={1}
          max={LONGEST_MINUTES}
          allowDecimal={false}
          hideControls
          value={window.minutes as string | number}
          onChange={(minutes) => set({ window: { minutes } })}
        />
      )}
      <ChoiceSelect<string>
        aria-label="Operator"
        data={OPERATORS.map((each) => ({ value: each, label: operatorWords(each) }))}
        value={op}
        onChange={(chosen) => onChange({ ...leaf, op: chosen, value: firstValue(type, chosen, [], leaf) })}
      />
      <ValueInput
        type={type}
        op={op}
        value={value}
        onChange={(limit) => onChange({ ...leaf, value: limit })}
      />
      {fault && (
        <p className={classes.note} data-wrong role="alert">
          {fault}
        </p>
      )}
      {where === undefined ? (
        <Button
          size="xs"
          variant="default"
          className={classes.where ?? ''}
          leftSection={<IconPlus size={14} />}
          onClick={() => set({ where: { field: 'type', op: 'eq', value: 'CASH' } })}
        >
          Count only some purchases
        </Button>
      ) : (
        <div className={classes.whole}>
          <p className={classes.note}>Count only purchases with</p>
          {editWhere({
            node: where,
            path: wherePath,
            depth: depth + 1,
            isWhere: true,
            onChange: (changed) => set({ where: changed }),
            onRemove: () => {
              const { where: _, ...others } = velocity;
              onChange({ ...leaf, velocity: others });
            },
          })}
        </div>
      )}
    </div>
  );
}
