import { invalid } from '../../kernel/error.ts';
import type { CardType } from '../card.ts';

export interface Design {
  id: string;
  name: string;
  stock: boolean;
  default: boolean;
  embossNameSupported: boolean;
  /** Not for new cards any more; existing ones keep it. */
  retired: boolean;
  look: Look | null;
}

export const PATTERNS = ['arcs', 'lines', 'rings', 'plain'] as const;

export const COLOUR = /^#[0-9a-f]{6}$/;
export const COLOUR_RULE = 'must be a colour such as #1b8fbf';

/** How the console draws cards of the design: a gradient between two colours (`#rrggbb`), and a pattern on it. */
export interface Look {
  from: string;
  to: string;
  pattern: (typeof PATTERNS)[number];
}

export type NewDesign = Omit<Design, 'retired' | 'look'> & { look?: Look | null | undefined };

/** Returns the design, or throws a 400 with the reason. A virtual card needs no stock. */
export function chooseDesign(
  design: Design | undefined,
  cardType: CardType,
  field: string,
  id: string | undefined,
): Design {
  if (!design && id === undefined) throw invalid(field, 'is required: the program has no default design');
  if (!design) throw invalid(field, 'is not a card design in this program');
  if (design.retired) throw invalid(field, 'is retired');
  if (cardType === 'physical' && !design.stock) throw invalid(field, 'is out of stock');
  return design;
}
