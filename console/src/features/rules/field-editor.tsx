import { TextInput } from '@mantine/core';
import { ChoiceSelect } from '../../components/choice-select.tsx';
import type { FieldLeaf } from './condition.ts';
import { useEditor, useFault } from './editor-context.ts';
import { ANY_KEY, findField, firstValue } from './fields.ts';
import classes from './rule-form.module.css';
import { ValueInput } from './value-input.tsx';
import { fieldWords, METADATA_FIELD, operatorWords } from './words.ts';

const METADATA = METADATA_FIELD + ANY_KEY;

/** A field with its operator and value, by the catalogue. */
export function FieldEditor({
  leaf,
  path,
  onChange,
}: {
  leaf: FieldLeaf;
  path: string;
  onChange: (leaf: FieldLeaf) => void;
}) {
  const { fields, lists } = useEditor();
  const fault = useFault(path);
  const field = findField(fields, leaf.field);
  const isMetadata = leaf.field.startsWith(METADATA_FIELD);
  const choose = (name: string) => {
    const chosen = findField(fields, name);
    if (!chosen) return;
    const op =
      chosen.operators.includes(leaf.op) && chosen.type === field?.type ? leaf.op : chosen.operators[0];
    if (op === undefined) return;
    onChange({
      field: name === METADATA ? `${METADATA_FIELD}team` : name,
      op,
      value: firstValue(chosen, op, lists),
    });
  };
  return (
    <div className={classes.leaf}>
      <ChoiceSelect<string>
        aria-label="Field"
        placeholder={leaf.field}
        data={fields.map(({ name }) => ({
          value: name,
          label: name === METADATA ? 'Card metadata …' : fieldWords(name),
        }))}
        value={isMetadata ? METADATA : leaf.field}
        onChange={choose}
      />
      {isMetadata && (
        <TextInput
          aria-label="Key of the metadata"
          value={leaf.field.slice(METADATA_FIELD.length)}
          maxLength={40}
          onChange={(event) => onChange({ ...leaf, field: METADATA_FIELD + event.currentTarget.value })}
        />
      )}
      <ChoiceSelect<string>
        aria-label="Operator"
        placeholder={leaf.op}
        data={(field?.operators ?? []).map((op) => ({ value: op, label: operatorWords(op) }))}
        value={leaf.op}
        onChange={(op) => field && onChange({ ...leaf, op, value: firstValue(field, op, lists, leaf) })}
      />
      <ValueInput
        type={field}
        op={leaf.op}
        value={leaf.value}
        onChange={(value) => onChange({ ...leaf, value })}
      />
      {fault && (
        <p className={classes.note} data-wrong role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}
