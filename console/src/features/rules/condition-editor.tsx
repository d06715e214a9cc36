import { ActionIcon, Button, Switch } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { ChoiceSelect, choicesOf } from '../../components/choice-select.tsx';
import { type NodeProps, shapeOf } from './condition.ts';
import { useFault } from './editor-context.ts';
import { FieldEditor } from './field-editor.tsx';
import classes from './rule-form.module.css';
import { VelocityEditor } from './velocity-editor.tsx';

const DEEPEST = 4;

/** Edits a node of a condition. What it cannot show is left to the JSON. */
export function ConditionEditor(props: NodeProps) {
  const { node, path, onChange } = props;
  const shape = shapeOf(node);
  // The node in a "not" is shown with the switch on.
  if (shape?.kind === 'not' && shapeOf(shape.child)?.kind !== 'not')
    return (
      <Box
        {...props}
        inner={shape.child}
        innerPath={`${path}.not`}
        isNegated
        onInner={(child) => onChange({ not: child })}
      />
    );
  return <Box {...props} inner={node} innerPath={path} isNegated={false} onInner={onChange} />;
}

interface BoxProps extends NodeProps {
  inner: unknown;
  innerPath: string;
  isNegated: boolean;
  onInner: (node: unknown) => void;
}

function Box(props: BoxProps) {
  const {
    node,
    path,
    inner,
    innerPath,
    isNegated,
    depth,
    isWhere = false,
    onChange,
    onRemove,
    onInner,
  } = props;
  const shape = shapeOf(inner);
  // Another condition beside it makes a group of both.
  const isWhole = path === 'when' || path.endsWith('.where');
  const isGroup = shape?.kind === 'all' || shape?.kind === 'any';
  return (
    <div className={classes.box} data-group={isGroup || undefined}>
      <div className={classes.head}>
        {isGroup ? (
          <ChoiceSelect
            aria-label="Which of the conditions"
            className={classes.which ?? ''}
            data={choicesOf({ all: 'All of these', any: 'Any of these' })}
            value={shape.kind}
            onChange={(kind) => onInner({ [kind]: shape.children })}
          />
        ) : (
          <span className={classes.kind}>{shape?.kind === 'velocity' ? 'Velocity' : 'Condition'}</span>
        )}
        <Switch
          size="xs"
          label="Not"
          checked={isNegated}
          onChange={(event) => onChange(event.currentTarget.checked ? { not: inner } : inner)}
        />
        {onRemove && (
          <ActionIcon variant="subtle" color="gray" aria-label="Remove this condition" onClick={onRemove}>
            <IconTrash size={16} />
          </ActionIcon>
        )}
      </div>
      {shape?.kind === 'field' && <FieldEditor leaf={shape.leaf} path={innerPath} onChange={onInner} />}
      {shape?.kind === 'velocity' && (
        <VelocityEditor
          leaf={shape.leaf}
          path={innerPath}
          depth={depth}
          onChange={onInner}
          editWhere={(where) => <ConditionEditor {...where} />}
        />
      )}
      {isGroup && (
        <Group
          kind={shape.kind}
          nodes={shape.children}
          path={`${innerPath}.${shape.kind}`}
          depth={depth + (isNegated ? 1 : 0)}
          isWhere={isWhere}
          onChange={(children) => onInner({ [shape.kind]: children })}
        />
      )}
      {isWhole && !isGroup && (
        <div className={classes.adding}>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} />}
            onClick={() => onChange({ all: [node, NEW_FIELD] })}
          >
            Add condition
          </Button>
        </div>
      )}
      {!(isGroup || shape?.kind === 'field' || shape?.kind === 'velocity') && <OnlyJson path={innerPath} />}
    </div>
  );
}

function OnlyJson({ path }: { path: string }) {
  const fault = useFault(path);
  return (
    <p className={classes.note} data-wrong={fault ? true : undefined}>
      {fault ?? 'Only the JSON can show this part.'}
    </p>
  );
}

const NEW_FIELD = { field: 'billAmount', op: 'gt', value: '100' };
const NEW_VELOCITY = {
  velocity: { measure: 'COUNT', per: 'CARD', window: { minutes: 60 } },
  op: 'gt',
  value: 5,
};

function Group({
  nodes,
  path,
  depth,
  isWhere,
  onChange,
}: {
  kind: 'all' | 'any';
  nodes: unknown[];
  path: string;
  depth: number;
  isWhere: boolean;
  onChange: (nodes: unknown[]) => void;
}) {
  const fault = useFault(
    path,
    nodes.map((_, index) => `${path}[${index}]`),
  );
  const add = (node: unknown) => onChange([...nodes, node]);
  const adding = (label: string, node: unknown) => (
    <Button
      key={label}
      size="xs"
      variant="default"
      leftSection={<IconPlus size={14} />}
      onClick={() => add(node)}
    >
      {label}
    </Button>
  );
  return (
    <div className={classes.nodes}>
      {nodes.map((node, index) => (
        <ConditionEditor
          // biome-ignore lint/suspicious/noArrayIndexKey: the fields keep no state of their own.
          key={index}
          node={node}
          path={`${path}[${index}]`}
          depth={depth + 1}
          isWhere={isWhere}
          onChange={(changed) => onChange(nodes.map((each, at) => (at === index ? changed : each)))}
          onRemove={nodes.length > 1 ? () => onChange(nodes.filter((_, at) => at !== index)) : undefined}
        />
      ))}
      {fault && (
        <p className={classes.note} data-wrong>
          {fault}
        </p>
      )}
      <div className={classes.adding}>
        {adding('Add condition', NEW_FIELD)}
        {!isWhere && adding('Add velocity', NEW_VELOCITY)}
        {depth + 1 < DEEPEST && adding('Add group', { any: [NEW_FIELD] })}
      </div>
    </div>
  );
}
