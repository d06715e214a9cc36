import { Select, type SelectProps } from '@mantine/core';

export interface Choice<Value extends string = string> {
  value: Value;
  label: string;
  disabled?: boolean;
}

export interface ChoiceSelectProps<Value extends string = string>
  extends Pick<
    SelectProps,
    'label' | 'aria-label' | 'description' | 'inputWrapperOrder' | 'placeholder' | 'className' | 'disabled'
  > {
  data: Array<Choice<Value>>;
  value: Value;
  error?: string | undefined;
  onChange: (value: Value) => void;
}

/** From so many choices on, typing searches among them. */
const SEARCHED_FROM = 9;

/** The part of a select that needs Mantine's list. */
export default function ChoiceField({ value, onChange, ...rest }: ChoiceSelectProps) {
  const searchable = rest.data.length >= SEARCHED_FROM;
  return (
    <Select
      {...rest}
      value={rest.data.some((choice) => choice.value === value) ? value : null}
      onChange={(chosen) => chosen !== null && onChange(chosen)}
      allowDeselect={false}
      searchable={searchable}
      selectFirstOptionOnChange={searchable}
      openOnFocus={false}
      nothingFoundMessage="No match"
      checkIconPosition="right"
      comboboxProps={{ shadow: 'md' }}
      // Typing replaces the choice instead of adding to its words.
      {...(searchable && {
        onFocus: ({ currentTarget }) => currentTarget.select(),
        onClick: ({ currentTarget }) => currentTarget.select(),
      })}
    />
  );
}
