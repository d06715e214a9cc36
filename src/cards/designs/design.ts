import { invalid } from '../../kernel/error.ts';
import type { CardType } from '../card.ts';

export interface Design {
  id: string;
  name: string;
  stock: boolean;
  default: boolean;
  embossNameSupported: boolean;
}

/** Returns the design, or throws a 400 with the reason. A virtual card needs no stock. */
export function chooseDesign(
  design: Design | undefined,
  cardType: CardType,
  field: string,
  id: string | undefined,
): Design {
  if (!design && id === undefined) throw invalid(field, 'is required: the program has no default design');
  if (!design) throw invalid(field, 'is not a card design in this program');
  if (cardType === 'physical' && !design.stock) throw invalid(field, 'is out of stock');
  return design;
}
