import { ColorInput, SegmentedControl, SimpleGrid, Switch, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { useConfirmation } from '../../components/confirmation-fields.tsx';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import type { CardDesign, CardLook } from '../../lib/types.ts';
import { CardArt } from '../cards/card-art.tsx';
import { lookOf } from '../cards/design-look.ts';
import { designsQuery } from '../cards/queries.ts';
import classes from './designs-page.module.css';

const FRESH: CardDesign = {
  ...{ id: '', name: '', stock: true, default: false, embossNameSupported: true, retired: false },
  look: null,
};
const SWATCHES = ['#15181e', '#0a3d73', '#1b8fbf', '#14532d', '#a8323c', '#e8735c', '#c1923a', '#fcfbf8'];
const PATTERNS = { rings: 'Rings', arcs: 'Arcs', lines: 'Lines', plain: 'Plain' };
const COLOUR = /^#[0-9a-f]{6}$/i;

const idOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64);

/** Adds a design, or changes one. */
export default function DesignModal({ design, onClose }: { design: CardDesign | null; onClose: () => void }) {
  const { id: programId } = useProgram();
  const api = useProgramApi();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(design ?? FRESH);
  const confirmation = useConfirmation('Changing designs needs your password.');
  const change = (changed: Partial<CardDesign>) => setDraft({ ...draft, ...changed });
  const id = draft.id || idOf(draft.name);
  const { from, to, pattern } = lookOf(id, draft.look);
  const { id: _, ...rest } = draft;
  const mutation = useMutation({
    gcTime: 0,
    mutationFn: () =>
      design
        ? api.put(`card-designs/${encodeURIComponent(design.id)}/`, { ...rest, ...confirmation.body })
        : api.post('card-designs/', { ...rest, id, ...confirmation.body }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: designsQuery(programId).queryKey });
      showToast(design ? `Design “${draft.name}” changed.` : `Design “${draft.name}” added.`);
      onClose();
    },
  });
  const isValid = !draft.look || (COLOUR.test(draft.look.from) && COLOUR.test(draft.look.to));
  const isSame = design !== null && JSON.stringify(design) === JSON.stringify(draft);
  const toggle = (
    name: 'stock' | 'default' | 'embossNameSupported' | 'retired',
    label: string,
    isFixed = false,
  ) => (
    <Switch
      label={label}
      checked={draft[name]}
      disabled={isFixed}
      onChange={(event) => change({ [name]: event.currentTarget.checked })}
    />
  );
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={design ? `Change the design “${design.name}”` : 'Add a design'}
      action={design ? 'Change design' : 'Add design'}
      size="lg"
      disabled={draft.name.trim() === '' || id === '' || !isValid || isSame || !confirmation.isComplete}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
      consequences={consequencesOf(design, draft)}
    >
      <div className={classes.preview}>
        <CardArt design={id} name="ADA LOVELACE" lastFour="4242" physical draft={draft} />
      </div>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <TextInput
          label="Name"
          maxLength={100}
          autoComplete="off"
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          data-autofocus
        />
        <TextInput
          label="Id"
          description={design ? undefined : 'Requests name the design by it. It never changes.'}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          classNames={{ input: 'mono' }}
          maxLength={64}
          autoComplete="off"
          readOnly={design !== null}
          value={id}
          onChange={(event) => change({ id: event.currentTarget.value })}
        />
      </SimpleGrid>
      <LookFields look={{ from, to, pattern }} onChange={(look) => change({ look })} />
      {toggle('stock', 'In stock for physical cards')}
      {toggle('embossNameSupported', "The cardholder's name is printed")}
      {toggle('default', 'Default for cards that name no design', design?.default || draft.retired)}
      {design && toggle('retired', 'Retired: not for new cards any more', draft.default)}
      {confirmation.fields}
    </ConfirmModal>
  );
}

function LookFields({ look, onChange }: { look: CardLook; onChange: (look: CardLook) => void }) {
  const colour = (end: 'from' | 'to', label: string) => (
    <ColorInput
      label={label}
      swatches={SWATCHES}
      eyeDropperButtonProps={{ 'aria-label': `${label}: pick from the screen` }}
      error={!COLOUR.test(look[end]) && 'A colour such as #1b8fbf'}
      value={look[end]}
      onChange={(value) => onChange({ ...look, [end]: value.toLowerCase() })}
    />
  );
  return (
    <>
      <SimpleGrid cols={2} spacing="sm">
        {colour('from', 'Lower colour')}
        {colour('to', 'Upper colour')}
      </SimpleGrid>
      <SegmentedControl
        aria-label="Pattern"
        value={look.pattern}
        onChange={(pattern) => onChange({ ...look, pattern: pattern as CardLook['pattern'] })}
        data={Object.entries(PATTERNS).map(([value, label]) => ({ value, label }))}
      />
    </>
  );
}

function consequencesOf(before: CardDesign | null, after: CardDesign): string[] {
  const sentences = [];
  if (!after.stock) sentences.push('Physical cards cannot have it until it is back in stock.');
  if (after.default && !before?.default)
    sentences.push('It replaces the default design for cards that are created from now on.');
  if (after.retired && !before?.retired)
    sentences.push('New cards cannot have it any more. Existing cards keep it.');
  return sentences;
}
