import { type Static, Type } from 'typebox';
import { ProgramPath, text } from '../console-schema.ts';

export const MOST_VIEWS = 20;

const list = Type.Enum(['cards', 'transactions', 'webhook-events']);
const fields = {
  name: Type.String({ minLength: 1, maxLength: 60, description: 'Unique among your views of the list.' }),
  search: Type.String({ maxLength: 2_000, description: 'Filters and order, as in the URL of the list.' }),
  columns: Type.Array(Type.String({ minLength: 1, maxLength: 40 }), {
    maxItems: 40,
    description: 'Columns to show; empty for the usual ones.',
  }),
};

export const ViewsQuery = Type.Object({ list });
export const ViewPath = Type.Object({
  ...ProgramPath.properties,
  viewId: Type.String({ description: 'View id.' }),
});
export const SavedViewRequest = Type.Object({ list, ...fields }, { title: 'SavedViewRequest' });
export type SavedViewRequest = Static<typeof SavedViewRequest>;
const SavedView = Type.Object({ id: text, ...fields }, { title: 'SavedView' });
export const SavedViews = Type.Object(
  { views: Type.Array(SavedView, { description: `By name; at most ${MOST_VIEWS}.` }) },
  { title: 'SavedViews' },
);
