import { TextInput } from '@mantine/core';
import { ChoiceSelect } from '../../components/choice-select.tsx';
import { countryChoices } from '../../lib/countries.ts';
import type { CardDetails, Customer } from '../../lib/types.ts';
import classes from './modals.module.css';
import { useDesignChoices } from './use-design.ts';

export interface Shipping {
  line1: string;
  line2: string;
  city: string;
  zone: string;
  postalCode: string;
  country: string;
  recipientFirstName: string;
  recipientLastName: string;
  recipientDialCode: string;
  recipientPhoneNumber: string;
  recipientEmail: string;
  cardDesign: string;
}

/** Fills in the known data of the cardholder. */
export function emptyShipping({
  cardholderName,
  meta,
  cardDesign,
}: Pick<CardDetails, 'cardholderName' | 'cardDesign'> & { meta: Customer['contact'] }): Shipping {
  const [first = '', ...rest] = cardholderName.split(' ');
  return {
    line1: '',
    line2: '',
    city: '',
    zone: '',
    postalCode: '',
    country: '',
    recipientFirstName: first,
    recipientLastName: rest.join(' '),
    recipientDialCode: meta.otpPhoneNumber.dialCode === 0 ? '' : String(meta.otpPhoneNumber.dialCode),
    recipientPhoneNumber: meta.otpPhoneNumber.phoneNumber,
    recipientEmail: meta.email ?? '',
    cardDesign,
  };
}

/** For a card that does not exist yet. The design is chosen elsewhere. */
export const emptyShippingOf = (customer: Customer | undefined): Shipping =>
  emptyShipping({
    cardholderName: customer?.name ?? '',
    meta: customer?.contact ?? { otpPhoneNumber: { dialCode: 0, phoneNumber: '' }, email: null },
    cardDesign: 'default',
  });

const OPTIONAL: Array<keyof Shipping> = ['line2', 'zone'];

/** The limits of the API, in characters. A longer text is kept and marked, never cut. */
const LONGEST: Record<Exclude<keyof Shipping, 'cardDesign'>, number> = {
  line1: 50,
  line2: 255,
  city: 20,
  zone: 255,
  postalCode: 10,
  country: 2,
  recipientFirstName: 255,
  recipientLastName: 255,
  recipientDialCode: 4,
  recipientPhoneNumber: 24,
  recipientEmail: 254,
};

export const isComplete = (shipping: Shipping): boolean =>
  (Object.keys(shipping) as Array<keyof Shipping>).every(
    (field) => OPTIONAL.includes(field) || shipping[field].trim() !== '',
  ) &&
  (Object.keys(LONGEST) as Array<keyof typeof LONGEST>).every(
    (field) => shipping[field].length <= LONGEST[field],
  );

export function shippingBody(shipping: Shipping) {
  const { line1, line2, city, zone, postalCode, country, recipientDialCode, ...recipient } = shipping;
  return {
    shippingAddress: {
      line1,
      city,
      postalCode,
      country,
      ...(line2.trim() && { line2 }),
      ...(zone.trim() && { zone }),
    },
    recipientDialCode: Number(recipientDialCode),
    ...recipient,
  };
}

const COUNTRIES = countryChoices('alpha2');

export function ShippingForm({
  value,
  onChange,
  withDesign = true,
}: {
  value: Shipping;
  onChange: (value: Shipping) => void;
  withDesign?: boolean;
}) {
  const designs = useDesignChoices();
  const field = (name: keyof typeof LONGEST, label: string) => ({
    label,
    autoComplete: 'off',
    value: value[name],
    error: value[name].length > LONGEST[name] && `At most ${LONGEST[name]} characters`,
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...value, [name]: event.currentTarget.value }),
  });
  return (
    <div className={classes.pair}>
      <TextInput className={classes.wide ?? ''} {...field('line1', 'Street and number')} />
      <TextInput className={classes.wide ?? ''} {...field('line2', 'Address line 2 (optional)')} />
      <TextInput {...field('postalCode', 'Postal code')} />
      <TextInput {...field('city', 'City')} />
      <TextInput {...field('zone', 'State or region (optional)')} />
      <ChoiceSelect
        label="Country"
        placeholder="Type to search"
        data={COUNTRIES}
        value={value.country}
        onChange={(country) => onChange({ ...value, country })}
      />
      <TextInput {...field('recipientFirstName', "Recipient's first name")} />
      <TextInput {...field('recipientLastName', "Recipient's last name")} />
      <TextInput {...field('recipientDialCode', 'Dial code')} inputMode="numeric" />
      <TextInput {...field('recipientPhoneNumber', 'Phone number')} inputMode="tel" />
      <TextInput {...field('recipientEmail', 'E-mail')} type="email" />
      {withDesign && (
        <ChoiceSelect
          label="Design"
          value={value.cardDesign}
          onChange={(cardDesign) => onChange({ ...value, cardDesign })}
          data={designs.map(({ id, name, stock }) => ({
            value: id,
            label: stock ? name : `${name} (out of stock)`,
            disabled: !stock,
          }))}
        />
      )}
    </div>
  );
}
