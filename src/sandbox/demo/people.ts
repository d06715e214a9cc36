import type { CreateCardBody } from '../../cards/schema.ts';
import { type City, HOMES } from './cities.ts';
import { createRandom, type Random } from './random.ts';

/**
 * Events in a cardholder's life beside shopping. The index of the person selects the story, so that even a demo with
 * few cards shows most of them.
 */
// biome-ignore format: a list reads best as one
const STORIES = ['travels', 'freezes', 'loses', 'may not gamble', 'has limits', 'is renewed', 'is attacked', 'travels', undefined, 'expires'] as const;
const STORIES_EVERY = 25;
const BUSINESS_EVERY = 9;

/** Common names of many countries, combined at random. */
// biome-ignore format: a list reads best as one
const FIRST = 'Anna Lukas Mia Jürgen Camille Étienne Lucía Mateo Inês Tiago Giulia Davide Sanne Bram Aoife Conor Zofia Piotr Eleni Nikos Elif Emre Ngozi Tunde Priya Rohan Linh Minh Haruka Kenji'.split(' ');
// biome-ignore format: a list reads best as one
const LAST = 'Schäfer Weiß Moreau Lefèvre Navarro Ibáñez Carvalho Moura Ferrara Conti Visser Dekker Byrne Ashdown Wójcik Mazur Pappas Makris Yıldız Demir Okafor Eze Sharma Iyer Nguyễn Phạm Tanaka Ishii'.split(' ');
const COMPANIES = ['Blauwald Software GmbH', 'Atelier des Brumes SARL', 'Molenaar & Zoon BV'];
const STREETS = ['Lime Street', 'Harbour Row', 'Orchard Lane', 'Mill Road', 'Station Square'];

export interface Person {
  index: number;
  city: City;
  story: (typeof STORIES)[number];
  isBusiness: boolean;
  purchasesPerWeek: number;
  /** The factor on usual prices for this person. */
  taste: number;
  card: CreateCardBody;
}

export function makePerson(seed: number, index: number): Person {
  const random = createRandom(seed, `person ${index}`);
  const city = random.pick(HOMES);
  const story = STORIES[index % STORIES_EVERY];
  const isBusiness = index % BUSINESS_EVERY === BUSINESS_EVERY - 1;
  // These cards are virtual: a physical card would have to be sent again.
  const isVirtual = story === 'is renewed' || story === 'expires' || random.chance(0.55);
  return {
    index,
    city,
    story,
    isBusiness,
    purchasesPerWeek: random.integer(4, 14),
    taste: 0.6 + 0.9 * random.next(),
    card: {
      kycApplicantId: `demo-applicant-${index + 1}`,
      cardType: isVirtual ? 'virtual' : 'physical',
      cardDesign: random.pick(['graphite', 'graphite', 'coral', 'birch']),
      meta: {
        id: `demo-customer-${index + 1}`,
        otpPhoneNumber: {
          dialCode: city.dialCode,
          phoneNumber: String(random.integer(6_000_000, 9_999_999)),
        },
        email: `customer${index + 1}@example.com`,
      },
      ...(isBusiness ? company(random, city, index) : consumer(random, city)),
    },
  };
}

function consumer(random: Random, city: City) {
  const [firstName, lastName] = [random.pick(FIRST), random.pick(LAST)];
  return {
    customerType: 'Consumer' as const,
    preferredCardName: cardName(`${firstName} ${lastName}`),
    kyc: {
      firstName,
      lastName,
      dob: `${random.integer(1950, 2004)}-0${random.integer(1, 9)}-${random.integer(10, 28)}`,
      residentialAddress: {
        idDocumentType: 'passport',
        idDocumentNumber: `D${random.integer(100_000, 999_999)}`,
        ...address(random, city),
      },
    },
  };
}

function company(random: Random, city: City, index: number) {
  const fullName = COMPANIES[Math.floor(index / BUSINESS_EVERY) % COMPANIES.length] as string;
  return {
    customerType: 'Business' as const,
    preferredCardName: cardName(fullName),
    kyc: {
      fullName,
      entityType: 'company' as const,
      businessRegistrationNumber: `R${random.integer(100_000, 999_999)}`,
      businessOperationAddress: address(random, city),
    },
  };
}

const address = (random: Random, city: City) => ({
  line1: `${random.pick(STREETS)} ${random.integer(1, 120)}`,
  line2: '',
  city: city.name,
  country: city.countryAlpha3,
  postalCode: String(random.integer(10_000, 99_999)),
});

/** The name as printed: upper case, without accents, at most 27 characters. */
const cardName = (name: string): string =>
  name.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').toUpperCase().slice(0, 27).trimEnd();
