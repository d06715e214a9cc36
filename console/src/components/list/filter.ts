import type { Search } from './search.ts';

interface Named {
  name: string;
  label: string;
  /** Shown on request. */
  further?: true;
  wide?: true;
}

/** A choice among values with their labels. */
export interface ChoiceFilter extends Named {
  choices: Record<string, string>;
}

export interface TextFilter extends Named {
  fits: (value: string) => boolean;
  /** The error for an invalid value. */
  refusal?: string;
  /** The error for a valid value that conflicts with other filters. */
  problemOf?: (value: string, search: Search) => string | undefined;
  /** Converts the text to the filter's value. */
  toValue?: (text: string) => string;
  /** The opposite. */
  toText?: (value: string) => string;
  upperCase?: true;
  placeholder?: string;
  inputMode?: 'decimal';
  maxLength?: number;
  /** Texts to suggest, which `toValue` converts. */
  suggestions?: readonly string[];
}

export type Filter = ChoiceFilter | TextFilter;

export const isChoice = (filter: Filter): filter is ChoiceFilter => 'choices' in filter;

export interface FilterProps {
  search: Search;
  /** Applies a change to the current filters of the URL, so that two changes in a row both take effect. */
  onSearch: (change: (search: Search) => Search) => void;
}
