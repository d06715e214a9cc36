import { Button, Collapse, NativeSelect } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { statusText } from '../../components/status-badge.tsx';
import { CATEGORIES, categoryCodes } from '../../lib/merchant-categories.ts';
import classes from './filter-bar.module.css';
import { FilterField } from './filter-field.tsx';
import {
  CHANNEL_WORDS,
  countFilters,
  DECLINE_REASONS,
  type FilterName,
  type RangeEnd,
  rangeProblem,
  type TransactionFilters,
} from './filters.ts';

const FURTHER: FilterName[] = ['channel', 'decline_reason', 'mcc', 'currency', 'min_amount', 'max_amount'];
const AMOUNT_REFUSAL = 'An amount, such as 12.50';

const STATUS_CHOICES = [
  { value: '', label: 'Any' },
  ...(['PENDING', 'CLEARED', 'DECLINED', 'VOID'] as const).map((value) => ({
    value,
    label: statusText(value),
  })),
];
const choices = (words: Record<string, string>) => [
  { value: '', label: 'Any' },
  ...Object.entries(words).map(([value, label]) => ({ value, label })),
];
const CHANNEL_CHOICES = choices(CHANNEL_WORDS);
const REASON_CHOICES = choices(DECLINE_REASONS);

const CATEGORY_LIST = 'merchant-categories';
/** A category name stands for its code, if it has only one. */
const codeMeant = (text: string): string => {
  const [code, ...others] = categoryCodes(text);
  return code && others.length === 0 ? code : text;
};

/** The common filters are always visible, the others on request. */
export function FilterBar({
  filters,
  currency,
  onChange,
}: {
  filters: TransactionFilters;
  /** The cards' currency, which amounts use. */
  currency: string;
  /** Applies a change to the current filters of the URL, so that two changes in a row both take effect. */
  onChange: (change: (filters: TransactionFilters) => TransactionFilters) => void;
}) {
  const further = FURTHER.filter((name) => filters[name] !== undefined).length;
  const [opened, { toggle }] = useDisclosure(further > 0);
  const [clearings, setClearings] = useState(0);
  const clear = () => {
    setClearings(clearings + 1);
    onChange(() => ({}));
  };
  const set = (name: FilterName, value: string) =>
    onChange(({ [name]: _, ...others }) => (value === '' ? others : { ...others, [name]: value }));
  const field = (name: FilterName) => ({ name, value: filters[name], onCommit: set });
  const end = (name: RangeEnd) => ({
    ...field(name),
    problemOf: (value: string) => rangeProblem(name, value, filters),
  });
  return (
    // A new key resets the fields, including text that has not taken effect yet.
    <search key={clearings} className={classes.bar} aria-label="Filters">
      <div className={classes.row}>
        <FilterField
          {...field('merchant')}
          label="Merchant"
          placeholder="Part of the name"
          type="search"
          maxLength={255}
          className={classes.wide}
          leftSection={<IconSearch size={16} />}
        />
        <NativeSelect
          label="Status"
          className={classes.status}
          data={STATUS_CHOICES}
          value={filters.status ?? ''}
          onChange={(event) => set('status', event.currentTarget.value)}
        />
        <FilterField {...end('min_created')} label="From" type="date" refusal="A day, such as 2026-11-15" />
        <FilterField {...end('max_created')} label="To" type="date" refusal="A day, such as 2026-11-15" />
        <div className={classes.buttons}>
          <Button
            variant="default"
            onClick={toggle}
            aria-expanded={opened}
            leftSection={<IconAdjustmentsHorizontal size={16} />}
          >
            {opened ? 'Fewer filters' : further > 0 ? `More filters (${further})` : 'More filters'}
          </Button>
          {countFilters(filters) > 0 && (
            <Button variant="subtle" onClick={clear}>
              Clear all
            </Button>
          )}
        </div>
      </div>
      <Collapse expanded={opened}>
        <div className={classes.row}>
          <NativeSelect
            label="Decline reason"
            className={classes.wide}
            data={REASON_CHOICES}
            value={filters.decline_reason ?? ''}
            onChange={(event) => set('decline_reason', event.currentTarget.value)}
          />
          <NativeSelect
            label="Channel"
            data={CHANNEL_CHOICES}
            value={filters.channel ?? ''}
            onChange={(event) => set('channel', event.currentTarget.value)}
          />
          <FilterField
            {...field('mcc')}
            label="Category (MCC)"
            placeholder="Groceries"
            list={CATEGORY_LIST}
            maxLength={40}
            toValue={codeMeant}
            refusal="4 digits, or a category from the list"
          />
          <datalist id={CATEGORY_LIST}>
            {Object.entries(CATEGORIES).map(([mcc, words]) => (
              <option key={mcc} value={mcc}>
                {words}
              </option>
            ))}
          </datalist>
          <FilterField
            {...field('currency')}
            label="Currency"
            placeholder="USD"
            maxLength={3}
            upperCase
            refusal="3 letters, such as USD"
          />
          <FilterField
            {...end('min_amount')}
            label={`Minimum, ${currency}`}
            placeholder="0.00"
            inputMode="decimal"
            refusal={AMOUNT_REFUSAL}
          />
          <FilterField
            {...end('max_amount')}
            label={`Maximum, ${currency}`}
            placeholder="100.00"
            inputMode="decimal"
            refusal={AMOUNT_REFUSAL}
          />
        </div>
      </Collapse>
    </search>
  );
}
