import { NumberInput, TagsInput, TextInput } from '@mantine/core';
import { ChoiceSelect } from '../../components/choice-select.tsx';
import { useProgram } from '../../lib/program.ts';
import { textOf } from './condition.ts';
import { useEditor } from './editor-context.ts';
import type { Measured } from './fields.ts';
import classes from './rule-form.module.css';

interface Props {
  /** Undefined: a field that is not in the catalogue. */
  type: Measured | undefined;
  op: string;
  value: unknown;
  onChange: (value: unknown) => void;
}

/** The value of a leaf, by the type of its field and by its operator. */
export function ValueInput(props: Props) {
  const { type, op, value, onChange } = props;
  if (op === 'isNull' || type?.type === 'boolean') return <YesNo value={value} onChange={onChange} />;
  if (op === 'inList' || op === 'notInList') return <ListName {...props} />;
  if (op === 'in' || op === 'notIn')
    return (
      <TagsInput
        aria-label="Values"
        {...(type?.values && { data: type.values })}
        value={Array.isArray(value) ? value.map(textOf) : []}
        onChange={onChange}
        splitChars={[',', ';']}
        acceptValueOnBlur
      />
    );
  if (op !== 'between') return <One {...props} label="Value" />;
  const ends: unknown[] = Array.isArray(value) ? value : [];
  return (
    <span className={classes.ends}>
      <One {...props} label="From" value={ends[0]} onChange={(low) => onChange([low, ends[1]])} />
      <One {...props} label="To" value={ends[1]} onChange={(high) => onChange([ends[0], high])} />
    </span>
  );
}

function One({ type, value, label, onChange }: Props & { label: string }) {
  const { currency } = useProgram();
  const text = value === null ? '' : textOf(value);
  if (type?.type === 'money')
    return (
      <NumberInput
        aria-label={`${label} in ${currency}`}
        rightSection={<span className={classes.unit}>{currency}</span>}
        rightSectionWidth={48}
        hideControls
        allowNegative={false}
        // Money is text in a condition.
        value={text}
        onChange={(amount) => onChange(String(amount))}
      />
    );
  if (type?.type === 'number')
    return (
      <NumberInput
        aria-label={label}
        hideControls
        allowDecimal={false}
        allowNegative={false}
        value={typeof value === 'number' ? value : text}
        onChange={onChange}
      />
    );
  if (type?.values)
    return (
      <ChoiceSelect<string>
        aria-label={label}
        data={type.values.map((each) => ({ value: each, label: each }))}
        value={text}
        onChange={onChange}
      />
    );
  return (
    <TextInput
      aria-label={label}
      value={text}
      placeholder={type ? textOf(type.example) : ''}
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

const YesNo = ({ value, onChange }: Pick<Props, 'value' | 'onChange'>) => (
  <ChoiceSelect<string>
    aria-label="Value"
    data={[
      { value: 'true', label: 'Yes' },
      { value: 'false', label: 'No' },
    ]}
    value={textOf(value)}
    onChange={(chosen) => onChange(chosen === 'true')}
  />
);

function ListName({ type, value, onChange }: Props) {
  const { lists } = useEditor();
  const fitting = lists.filter((list) => list.type === type?.listType);
  return (
    <ChoiceSelect<string>
      aria-label="List"
      placeholder={fitting.length === 0 ? 'No list of this type yet' : 'List'}
      data={fitting.map(({ name }) => ({ value: name, label: name }))}
      value={textOf(value)}
      onChange={onChange}
    />
  );
}
