import { propertyName } from './property-name.ts';

type Trimmed<Text> = Text extends ` ${infer Rest}` | `\n${infer Rest}` ? Trimmed<Rest> : Text;
type PropertyName<Column> = Column extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<PropertyName<Rest>>}`
  : Column;
type PropertyNames<Columns> = Columns extends `${infer First},${infer Rest}`
  ? PropertyName<Trimmed<First>> | PropertyNames<Rest>
  : PropertyName<Trimmed<Columns>>;

const namesIn = (columns: string): string[] => columns.trim().split(/,\s*/);

/** For a statement that writes one row: a parameter for each of its columns, from `$first` on. */
export const parametersOf = (columns: string, first = 1): string =>
  namesIn(columns)
    .map((_, index) => `$${first + index}`)
    .join(', ');

/** The values of these parameters: for `created_at` it is the property `createdAt`. */
export const valuesOf = <const Columns extends string>(
  columns: Columns,
  row: { readonly [Name in PropertyNames<Columns> & string]: unknown },
): unknown[] => namesIn(columns).map((name) => (row as Record<string, unknown>)[propertyName(name)]);
