import type { CardHolder } from '../src/cards/card.ts';

const FIRST_NAMES = [
  'Ada',
  'Bela',
  'Cora',
  'Dario',
  'Emil',
  'Fatima',
  'Goran',
  'Hana',
  'Ines',
  'Jonas',
  'Kamal',
];
const SYLLABLES = [
  'ba',
  'den',
  'fo',
  'gri',
  'hal',
  'ko',
  'lum',
  'mer',
  'nas',
  'or',
  'pel',
  'ri',
  'sta',
  'tov',
  'wic',
];

/** As many people as there are in a town: about three hundred cards of a million share a name. */
export function townsperson(index: number): CardHolder {
  const syllable = (divisor: number) => SYLLABLES[Math.floor(index / divisor) % SYLLABLES.length] as string;
  const family = `${syllable(1)}${syllable(15)}${syllable(225)}`;
  const name = `${FIRST_NAMES[index % FIRST_NAMES.length]} ${family[0]?.toUpperCase()}${family.slice(1)}`;
  return { cardholderName: name, cardName: name.toUpperCase(), externalCustomerId: `customer-${index}` };
}
