import { Button, Chip, SegmentedControl, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DayInput } from '../../components/day-input.tsx';
import bar from '../../components/list/filter-bar.module.css';
import { FilterField } from '../../components/list/filter-field.tsx';
import { useProgram } from '../../lib/program.ts';
import { useSession } from '../../lib/session.ts';
import classes from './audit-page.module.css';
import { type AuditSearch, type FilterName, isCardId } from './filters.ts';
import { filtersQuery } from './queries.ts';

export function AuditFilterBar({
  search,
  onSearch,
}: {
  search: AuditSearch;
  onSearch: (change: (search: AuditSearch) => AuditSearch) => void;
}) {
  const { id: programId } = useProgram();
  const seesAll = useSession().operator.programId === null;
  const { data } = useQuery(filtersQuery(programId, search.chain));
  const [clearings, setClearings] = useState(0);
  const set = (name: FilterName, value: string | null) =>
    onSearch(({ [name]: _, ...others }) => (value ? { ...others, [name]: value } : others));
  const { chain, ...filters } = search;
  const field = {
    fits: () => true,
    onCommit: (name: string, value: string) => set(name as FilterName, value),
  };
  return (
    // A new key resets the fields, including text that has not taken effect yet.
    <search key={clearings} className={bar.bar} aria-label="Filters">
      {seesAll && (
        <div>
          <SegmentedControl
            aria-label="Entries"
            data={[
              { value: 'program', label: 'This program' },
              { value: 'installation', label: 'People and sign-ins' },
            ]}
            value={chain ?? 'program'}
            onChange={(value) => onSearch(() => (value === 'program' ? {} : { chain: value }))}
          />
        </div>
      )}
      {data && data.presets.length > 1 && (
        <div role="radiogroup" aria-label="Kind of action" className={classes.presets}>
          <Chip.Group value={search.preset ?? ''} onChange={(value) => set('preset', value || null)}>
            {[{ preset: '', words: 'All' }, ...data.presets].map(({ preset, words }) => (
              <Chip key={preset} value={preset} size="sm" variant="light">
                {words}
              </Chip>
            ))}
          </Chip.Group>
        </div>
      )}
      <div className={bar.row}>
        <FilterField
          {...field}
          name="text"
          label="Text"
          className={bar.wide ?? ''}
          placeholder="Anything in an entry"
          maxLength={100}
          value={search.text}
        />
        <Select
          {...PICK}
          label="Person or key"
          className={bar.wide ?? ''}
          data={GROUPS.map(([kind, group]) => ({
            group,
            items: (data?.actors ?? [])
              .filter((actor) => actor.kind === kind)
              .map(({ actor, name }) => ({ value: actor, label: name })),
          }))}
          value={search.actor ?? null}
          onChange={(value) => set('actor', value)}
        />
        <Select
          {...PICK}
          label="Action"
          data={(data?.actions ?? [])
            .filter(({ preset }) => search.preset === undefined || preset === search.preset)
            .map(({ action, words }) => ({ value: action, label: words }))}
          value={search.action ?? null}
          onChange={(value) => set('action', value)}
        />
        {chain !== 'installation' && (
          <>
            <FilterField
              {...field}
              name="card_id"
              label="Card id"
              value={search.card_id}
              fits={isCardId}
              refusal="Enter a whole card id"
            />
            <FilterField
              {...field}
              name="customer_id"
              label="Customer id"
              maxLength={255}
              value={search.customer_id}
            />
          </>
        )}
        <div className={classes.days}>
          <DayInput
            label="From (UTC)"
            value={search.from ?? ''}
            {...(search.to && { maxDate: search.to })}
            onChange={(day) => set('from', day)}
          />
          <DayInput
            label="To (UTC)"
            value={search.to ?? ''}
            {...(search.from && { minDate: search.from })}
            onChange={(day) => set('to', day)}
          />
        </div>
        {Object.keys(filters).length > 0 && (
          <div className={bar.buttons}>
            <Button
              variant="subtle"
              onClick={() => {
                setClearings(clearings + 1);
                onSearch(() => (chain ? { chain } : {}));
              }}
            >
              Clear all
            </Button>
          </div>
        )}
      </div>
    </search>
  );
}

const GROUPS = [
  ['operator', 'People'],
  ['key', 'API keys'],
  ['cli', 'Command line'],
  ['system', 'Automatic'],
] as const;

const PICK = {
  searchable: true,
  clearable: true,
  placeholder: 'Any',
  limit: 100,
  nothingFoundMessage: 'Nothing found',
  clearButtonProps: { 'aria-label': 'Clear' },
} as const;
