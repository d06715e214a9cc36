import type { CreateCardBody } from '../../cards/schema.ts';
import { createRandom, type Random } from './random.ts';
import { type City, HOMES } from './world.ts';

/** Events beside shopping. The index of the person selects the story, so that even a demo with few cards shows them. */
const STORIES = [
  'freezes',
  'loses',
  'may not gamble',
  'has limits',
  'is renewed',
  'is attacked',
  undefined,
  'expires',
] as const;
const STORIES_EVERY = 25;
const BUSINESS_EVERY = 9;

/** Common names of many countries, combined at random. */
// biome-ignore format: a list reads best as one
const FIRST = ['Anna', 'Jürgen', 'Camille', 'Mateo', 'Inês', 'Davide', 'Aoife', 'Piotr', 'Eleni', 'Emre', 'Ngozi', 'Rohan', 'Linh', 'Kenji'];
// biome-ignore format: a list reads best as one
const LAST = ['Weiß', 'Moreau', 'Ibáñez', 'Carvalho', 'Ferrara', 'Dekker', 'Byrne', 'Wójcik', 'Makris', 'Yıldız', 'Okafor', 'Sharma', 'Nguyễn', 'Tanaka'];
const COMPANIES = ['Blauwald Software GmbH', 'Atelier des Brumes SARL', 'Molenaar & Zoon BV'];
const TEAMS = ['travel', 'marketing', 'workshop'];
const USUAL_PURCHASE_EUR = 33;

export type Person = ReturnType<typeof makePerson>;

export function makePerson(seed: number, index: number) {
  const random = createRandom(seed, `person ${index}`);
  const city = random.pick(HOMES);
  const story = STORIES[index % STORIES_EVERY];
  const purchasesPerWeek = random.integer(4, 14);
  /** The factor on usual prices for this person. */
  const taste = 0.6 + 0.9 * random.next();
  const weeklyEur = Math.round(purchasesPerWeek * USUAL_PURCHASE_EUR * taste);
  // These cards are virtual: a physical card would have to be sent again.
  const isVirtual = story === 'is renewed' || story === 'expires' || random.chance(0.55);
  const phoneNumber = String(random.integer(6_000_000, 9_999_999));
  const otpPhoneNumber = { dialCode: city.dialCode, phoneNumber };
  const card: CreateCardBody = {
    kycApplicantId: `demo-applicant-${index + 1}`,
    cardType: isVirtual ? 'virtual' : 'physical',
    cardDesign: random.pick(['classic-black', 'classic-black', 'ocean-blue', 'paper-white']),
    meta: { id: `demo-customer-${index + 1}`, otpPhoneNumber, email: `customer${index + 1}@example.com` },
    ...(index % BUSINESS_EVERY === BUSINESS_EVERY - 1 ? company(random, city) : consumer(random, city)),
  };
  return { index, city, story, purchasesPerWeek, taste, weeklyEur, card };
}

function consumer(random: Random, city: City) {
  const [firstName, lastName] = [random.pick(FIRST), random.pick(LAST)];
  const document = { idDocumentType: 'passport', idDocumentNumber: `D${random.integer(100_000, 999_999)}` };
  const kyc = { firstName, lastName, dob: `${random.integer(1950, 2004)}-05-17` };
  return {
    customerType: 'Consumer' as const,
    preferredCardName: cardName(`${firstName} ${lastName}`),
    kyc: { ...kyc, residentialAddress: { ...document, ...address(random, city) } },
  };
}

function company(random: Random, city: City) {
  const fullName = random.pick(COMPANIES);
  const kyc = { fullName, businessRegistrationNumber: `R${random.integer(100_000, 999_999)}` };
  return {
    customerType: 'Business' as const,
    preferredCardName: cardName(fullName),
    kyc: { ...kyc, entityType: 'company' as const, businessOperationAddress: address(random, city) },
    metadata: {
      cost_center: kyc.businessRegistrationNumber.slice(-4),
      team: TEAMS[fullName.length % TEAMS.length] ?? '',
    },
  };
}

function address(random: Random, { name, countryAlpha3 }: City) {
  return { line1: `Lime Street ${random.integer(1, 120)}`, line2: '', city: name, country: countryAlpha3 };
}

/** The name as printed: upper case, without accents. */
const cardName = (name: string): string => name.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase();
