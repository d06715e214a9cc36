import type { ListType } from './fields.ts';

interface BuiltInList {
  type: ListType;
  values: ReadonlySet<string>;
}

const list = (type: ListType, values: string): BuiltInList => ({
  type,
  values: new Set(values.trim().split(/\s+/)),
});

/** The Agreement on the European Economic Area: the European Union's member states, Iceland, Liechtenstein and Norway. */
const EEA = `AUT BEL BGR CYP CZE DEU DNK ESP EST FIN FRA GRC HRV HUN IRL ITA LTU LUX LVA MLT NLD POL PRT ROU SVK SVN SWE
  ISL LIE NOR`;
/** Parts of Finland and France with codes of their own, in which the Union's law applies (Article 349 of its treaty). */
const EEA_TERRITORIES = 'ALA GLP GUF MAF MTQ MYT REU';

/** The European Payments Council's list of the SEPA schemes' geographical scope, of which the EEA is part. */
const SEPA_BEYOND_EEA = 'ALB AND CHE GBR MCO MDA MKD MNE SMR SRB VAT';
/** Parts of France, and the British territories on that list. */
const SEPA_TERRITORIES = 'BLM SPM GGY GIB IMN JEY';

/** Shipped with the product, by name. A merchant's own list has no colon in its name. MCCs are those of ISO 18245 and its registry. */
export const BUILT_IN_LISTS: ReadonlyMap<string, BuiltInList> = new Map([
  // Lotteries, online casinos and races of the state, betting, and the two codes that lotteries and races have had.
  ['mcc:gambling', list('mcc', '7800 7801 7802 7995 9406 9754')],
  // Inbound teleservices, which the industry uses for adult content; dating and escort services.
  ['mcc:adult', list('mcc', '5967 7273')],
  // Cash at a counter, and from a machine.
  ['mcc:cash', list('mcc', '6010 6011')],
  // Quasi-cash of companies that are no banks: cryptocurrency, and foreign currency too.
  ['mcc:crypto', list('mcc', '6051')],
  // Wire transfers and money orders; transfers between persons at home, abroad and as funding.
  ['mcc:money-transfer', list('mcc', '4829 6534 6536 6537 6538')],
  ['country:eea', list('country', `${EEA} ${EEA_TERRITORIES}`)],
  ['country:sepa', list('country', `${EEA} ${EEA_TERRITORIES} ${SEPA_BEYOND_EEA} ${SEPA_TERRITORIES}`)],
]);
