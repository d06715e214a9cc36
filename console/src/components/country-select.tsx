import { Select } from '@mantine/core';
import type { CountryChoice } from '../lib/countries.ts';

export function CountrySelect({
  choices,
  value,
  error,
  onChange,
}: {
  choices: CountryChoice[];
  value: string;
  error?: string | undefined;
  onChange: (value: string) => void;
}) {
  return (
    <Select
      label="Country"
      placeholder="Type to search"
      data={choices}
      searchable
      selectFirstOptionOnChange
      nothingFoundMessage="No such country"
      value={value === '' ? null : value}
      error={error}
      onChange={(country) => onChange(country ?? '')}
    />
  );
}
