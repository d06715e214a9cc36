import { Type } from 'typebox';
import { COLOUR, COLOUR_RULE, PATTERNS } from '../../cards/designs/design.ts';
import { nullable, rule } from '../../http/schemas.ts';
import { confirmationFields, ProgramPath } from '../console-schema.ts';

const colour = Type.String({ pattern: COLOUR.source, ...rule(COLOUR_RULE), examples: ['#1b8fbf'] });
const Look = Type.Object(
  { from: colour, to: colour, pattern: Type.Enum([...PATTERNS]) },
  {
    title: 'CardLook',
    description: 'How the console draws the card: a gradient between two colours, and a pattern.',
  },
);
const look = nullable(Look, 'Null: derived from the id.');
const name = Type.String({ maxLength: 100, examples: ['Classic Black'] });
const stock = Type.Boolean({ description: 'In stock for physical cards.' });
const isDefault = Type.Boolean({ description: 'Used for cards that are created without a design.' });
const embossNameSupported = Type.Boolean({ description: "The cardholder's name is printed." });
const retired = Type.Boolean({ description: 'Not for new cards any more; existing cards keep it.' });

export const Design = Type.Object(
  { id: Type.String(), name, stock, default: isDefault, embossNameSupported, retired, look },
  { title: 'ConsoleDesign' },
);
export const Designs = Type.Object({ designs: Type.Array(Design) }, { title: 'ConsoleDesignList' });
export const EXAMPLE_DESIGN = {
  ...{ id: 'classic-black', name: 'Classic Black', stock: true, default: true, embossNameSupported: true },
  retired: false,
  look: { from: '#15181e', to: '#3c4350', pattern: 'arcs' },
};

const CONFIRMATION = confirmationFields('Always required.');
export const NewDesign = Type.Object({
  id: Type.String({ maxLength: 64, examples: ['ocean-blue'] }),
  ...{ name, stock, default: isDefault, embossNameSupported, look },
});
export const NewDesignBody = Type.Object(
  { ...NewDesign.properties, ...CONFIRMATION },
  { title: 'NewConsoleDesign' },
);
export const DesignChange = Type.Object({
  name: Type.Optional(name),
  stock: Type.Optional(stock),
  default: Type.Optional(isDefault),
  embossNameSupported: Type.Optional(embossNameSupported),
  retired: Type.Optional(retired),
  look: Type.Optional(look),
});
export const DesignBody = Type.Object(
  { ...DesignChange.properties, ...CONFIRMATION },
  { title: 'ConsoleDesignChange' },
);
export const DesignPath = Type.Object({ ...ProgramPath.properties, cardDesignID: Type.String() });
