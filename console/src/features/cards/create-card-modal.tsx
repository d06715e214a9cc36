import { SegmentedControl, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { AmountInput } from '../../components/amount-input.tsx';
import { ChoiceSelect } from '../../components/choice-select.tsx';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { DayInput } from '../../components/day-input.tsx';
import { amountOf } from '../../lib/amount.ts';
import { ApiError } from '../../lib/api.ts';
import { countryChoices } from '../../lib/countries.ts';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { randomKey } from '../../lib/random-key.ts';
import { showToast } from '../../lib/toasts.ts';
import type { Card, Customer } from '../../lib/types.ts';
import {
  bodyOf,
  CARD_FIELDS,
  CUSTOMER_FIELDS,
  type Field,
  firstValues,
  isFilled,
  KYC_FIELDS,
  type Values,
} from './create-card-fields.ts';
import classes from './modals.module.css';
import { refreshCard } from './queries.ts';
import { emptyShippingOf, isComplete, ShippingForm, shippingBody } from './shipping-form.tsx';
import { useDesignChoices } from './use-design.ts';

type Kind = 'Consumer' | 'Business';

/** Creates a card. The KYC provider checks the person first, and each refusal is shown at its field. */
export default function CreateCardModal({ customer, onClose }: { customer?: Customer; onClose: () => void }) {
  const { currency } = useProgram();
  const [kind, setKind] = useState<Kind>('Consumer');
  const [type, setType] = useState<'virtual' | 'physical'>('virtual');
  const [values, setValues] = useState<Values>(() => firstValues(customer));
  const [entityType, setEntityType] = useState('company');
  const [design, setDesign] = useState('');
  const [spendLimit, setSpendLimit] = useState<number | string>(0);
  const [shipping, setShipping] = useState(() => emptyShippingOf(customer));
  const designs = useDesignChoices();
  const fields = [...CUSTOMER_FIELDS, ...KYC_FIELDS[kind], ...CARD_FIELDS];
  const mutation = useCreateCard(onClose);
  const rejected = rejectedField(mutation.error);
  const rejectedAt = fields.find(({ path }) => path === rejected?.path);
  const form = useRejectedFieldInSight(mutation.error, rejectedAt);
  const send = () => {
    const body = bodyOf(fields, values);
    if (kind === 'Business') body['kyc'] = { ...(body['kyc'] as object), entityType };
    mutation.mutate({
      ...body,
      customerType: kind,
      cardType: type,
      spendLimit: amountOf(spendLimit),
      ...(design && { cardDesign: design }),
      ...(type === 'physical' && { shippingInformation: shippingBody(shipping) }),
    });
  };
  const group = (legend: string, shown: Field[], more?: React.ReactNode) => (
    <fieldset className={classes.group}>
      <legend>{legend}</legend>
      <div className={classes.pair}>
        {more}
        {shown.map((field) => (
          <FieldInput
            key={field.path}
            field={field}
            value={values[field.path] ?? ''}
            isFirst={field === CUSTOMER_FIELDS[0]}
            error={rejected?.path === field.path ? rejected.rule : undefined}
            onChange={(value) => setValues({ ...values, [field.path]: value })}
          />
        ))}
      </div>
    </fieldset>
  );
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={customer ? `Create a card for ${customer.name}` : 'Create a card'}
      size="lg"
      action="Create card"
      disabled={
        !isFilled(fields, values) ||
        amountOf(spendLimit) === null ||
        (type === 'physical' && !isComplete(shipping))
      }
      mutation={rejectedAt ? { ...mutation, error: null } : mutation}
      onConfirm={send}
    >
      <SegmentedControl
        aria-label="Customer type"
        value={kind}
        onChange={(value) => setKind(value as Kind)}
        data={[
          { value: 'Consumer', label: 'Person' },
          { value: 'Business', label: 'Business' },
        ]}
      />
      <div ref={form} className={classes.groups}>
        {group('Customer', CUSTOMER_FIELDS)}
        {group(
          'As in the KYC record',
          KYC_FIELDS[kind],
          kind === 'Business' && (
            <ChoiceSelect
              label="Entity type"
              value={entityType}
              onChange={setEntityType}
              data={[
                { value: 'company', label: 'Company' },
                { value: 'personal', label: 'Sole proprietor' },
              ]}
            />
          ),
        )}
        {group(
          'Card',
          CARD_FIELDS,
          <>
            <ChoiceSelect
              label="Card type"
              value={type}
              onChange={setType}
              data={[
                { value: 'virtual', label: 'Virtual' },
                { value: 'physical', label: 'Physical' },
              ]}
            />
            <ChoiceSelect
              label="Design"
              value={design}
              onChange={setDesign}
              data={[
                { value: '', label: 'Default design' },
                ...designs.map(({ id, name, stock }) => ({
                  value: id,
                  label: stock ? name : `${name} (out of stock)`,
                  disabled: !stock && type === 'physical',
                })),
              ]}
            />
            <AmountInput
              label="Opening balance"
              currency={currency}
              value={spendLimit}
              onChange={setSpendLimit}
            />
          </>,
        )}
        {type === 'physical' && (
          <fieldset className={classes.group}>
            <legend>Shipping</legend>
            <ShippingForm value={shipping} onChange={setShipping} withDesign={false} />
          </fieldset>
        )}
      </div>
    </ConfirmModal>
  );
}

/** `kyc.dob: must be in the past` names the field and the rule. */
function rejectedField(error: unknown): { path: string; rule: string } | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const [, path, rule] = /^([\w.]+): (.+)$/.exec(error.message) ?? [];
  return path && rule ? { path, rule } : undefined;
}

/** The form is long: a field that the server rejected can be out of sight of the button. */
function useRejectedFieldInSight(error: unknown, rejectedAt: Field | undefined) {
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (!error || !field || !rejectedAt) return;
    field.scrollIntoView({ block: 'center' });
    // The focus would open a calendar over the message.
    if (!rejectedAt.isDay) field.focus({ preventScroll: true });
  }, [error, rejectedAt]);
  return form;
}

function useCreateCard(onClose: () => void) {
  const api = useProgramApi();
  const { id: programId } = useProgram();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  // The same key for every attempt in this dialog: a retry after a lost answer creates no second card.
  const [key] = useState(randomKey);
  return useMutation({
    mutationFn: (body: Record<string, unknown>) =>
      api.post<Card>('merchant/cards/', body, { 'idempotency-key': key }),
    onSuccess: async (card) => {
      await refreshCard(queryClient, programId);
      showToast(`${card.cardholderName}'s card ••••\u00a0${card.lastFour} was created`);
      onClose();
      await navigate({
        to: '/programs/$programId/cards/$cardId',
        params: { programId, cardId: card.id },
      });
    },
  });
}

const COUNTRIES = countryChoices('alpha3');

function FieldInput({
  field: { label, longest = Number.POSITIVE_INFINITY, placeholder, isDay, isCountry, wide },
  value,
  isFirst,
  error,
  onChange,
}: {
  field: Field;
  value: string;
  isFirst: boolean;
  error: string | undefined;
  onChange: (value: string) => void;
}) {
  if (isDay) return <DayInput label={label} value={value} error={error} onChange={onChange} />;
  if (isCountry)
    return (
      <ChoiceSelect {...{ label, value, error, onChange }} data={COUNTRIES} placeholder="Type to search" />
    );
  return (
    <TextInput
      label={label}
      autoComplete="off"
      className={wide ? (classes.wide ?? '') : ''}
      {...(placeholder && { placeholder })}
      {...(isFirst && { 'data-autofocus': true })}
      value={value}
      error={value.trim().length > longest ? `At most ${longest} characters` : error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
