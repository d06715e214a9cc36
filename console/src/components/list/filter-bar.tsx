import { Button, Collapse } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useState } from 'react';
import { ChoiceSelect, choicesOf } from '../choice-select.tsx';
import { CreatedFilter } from './created-filter.tsx';
import { type Filter, type FilterProps, isChoice } from './filter.ts';
import classes from './filter-bar.module.css';
import { FilterField } from './filter-field.tsx';
import { countFilters, type Search } from './search.ts';

/** The common filters are always visible, the others on request. */
export function FilterBar({ filters, search, onSearch }: FilterProps & { filters: Filter[] }) {
  const further = filters.filter((filter) => filter.further);
  const used = further.filter(({ name }) => search[name] !== undefined).length;
  const [opened, { toggle }] = useDisclosure(used > 0);
  const [clearings, setClearings] = useState(0);
  const clear = () => {
    setClearings(clearings + 1);
    onSearch(({ order }) => (order ? { order } : {}));
  };
  const set = (name: string, value: string) =>
    onSearch(({ [name]: _, ...others }) => (value === '' ? others : { ...others, [name]: value }));
  const fieldOf = (filter: Filter) => (
    <Field key={filter.name} filter={filter} search={search} onChange={set} />
  );
  return (
    // A new key resets the fields, including text that has not taken effect yet.
    <search key={clearings} className={classes.bar} aria-label="Filters">
      <div className={classes.row}>
        {filters.filter((filter) => !filter.further).map(fieldOf)}
        <CreatedFilter search={search} onSearch={onSearch} />
        <div className={classes.buttons}>
          {further.length > 0 && (
            <Button
              variant="default"
              onClick={toggle}
              aria-expanded={opened}
              leftSection={<IconAdjustmentsHorizontal size={16} />}
            >
              {opened ? 'Fewer filters' : used > 0 ? `More filters (${used})` : 'More filters'}
            </Button>
          )}
          {countFilters(search) > 0 && (
            <Button variant="subtle" onClick={clear}>
              Clear all
            </Button>
          )}
        </div>
      </div>
      {further.length > 0 && (
        <Collapse expanded={opened}>
          <div className={classes.row}>{further.map(fieldOf)}</div>
        </Collapse>
      )}
    </search>
  );
}

function Field({
  filter,
  search,
  onChange,
}: {
  filter: Filter;
  search: Search;
  onChange: (name: string, value: string) => void;
}) {
  const { name, label } = filter;
  const className = filter.wide && classes.wide;
  if (isChoice(filter))
    return (
      <ChoiceSelect<string>
        label={label}
        className={className ?? ''}
        data={[{ value: '', label: 'Any' }, ...choicesOf(filter.choices)]}
        value={search[name] ?? ''}
        onChange={(value) => onChange(name, value)}
      />
    );
  const { problemOf, further: _, wide: __, ...rest } = filter;
  return (
    <FilterField
      {...rest}
      className={className ?? ''}
      value={search[name]}
      onCommit={onChange}
      problemOf={problemOf && ((value) => problemOf(value, search))}
    />
  );
}
