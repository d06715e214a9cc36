import type { CreateCardBody } from '../../cards/schema.ts';
import { type City, HOMES } from './cities.ts';
import { COMPANIES, CULTURES } from './names.ts';
import { createRandom, type Random } from './random.ts';
import { type Story, storyOf } from './stories.ts';

export interface Person {
  index: number;
  city: City;
  story: Story;
  isBusiness: boolean;
  /** The card of a company's car. */
  isFleet: boolean;
  /** How often they pay. */
  purchasesPerWeek: number;
  /** What a usual purchase of theirs is worth, against everybody's. */
  taste: number;
  card: CreateCardBody;
}

const BUSINESS_EVERY = 9;
const RENEWED = new Set<Story>(['is renewed', 'expires']);

export function makePerson(seed: number, index: number): Person {
  const random = createRandom(seed, `person ${index}`);
  const city = random.pick(HOMES);
  const isBusiness = index % BUSINESS_EVERY === BUSINESS_EVERY - 1;
  const story = storyOf(index);
  const common = {
    kycApplicantId: `demo-applicant-${index + 1}`,
    // A plastic would have to be sent once more.
    cardType: random.chance(0.45) && !RENEWED.has(story) ? ('physical' as const) : ('virtual' as const),
    cardDesign: random.pick(['graphite', 'graphite', 'coral', 'birch']),
    meta: {
      id: `demo-customer-${index + 1}`,
      otpPhoneNumber: { dialCode: city.dialCode, phoneNumber: String(random.integer(6_000_000, 9_999_999)) },
      email: `customer${index + 1}@example.com`,
    },
  };
  return {
    index,
    city,
    story,
    isBusiness,
    isFleet: isBusiness && index % (2 * BUSINESS_EVERY) < BUSINESS_EVERY,
    purchasesPerWeek: random.integer(4, 14),
    taste: 0.6 + 0.9 * random.next(),
    card: isBusiness ? businessCard(random, city, index, common) : consumerCard(random, city, common),
  };
}

type Common = Omit<CreateCardBody, 'customerType' | 'kyc' | 'preferredCardName'>;

function consumerCard(random: Random, city: City, common: Common): CreateCardBody {
  const atHome = CULTURES.filter(({ countries }) => countries.includes(city.country));
  const culture = random.pick(atHome.length > 0 && random.chance(0.6) ? atHome : CULTURES);
  const [firstName, lastName] = [random.pick(culture.first), random.pick(culture.last)];
  return {
    ...common,
    customerType: 'Consumer',
    preferredCardName: cardName(`${firstName} ${lastName}`),
    kyc: {
      firstName,
      lastName,
      dob: `${random.integer(1950, 2004)}-${twoDigits(random.integer(1, 12))}-${twoDigits(random.integer(1, 28))}`,
      residentialAddress: {
        idDocumentType: random.pick(['passport', 'identity card']),
        idDocumentNumber: `D${random.integer(100_000, 999_999)}`,
        ...address(random, city),
      },
    },
  };
}

function businessCard(random: Random, city: City, index: number, common: Common): CreateCardBody {
  const fullName = COMPANIES[Math.floor(index / BUSINESS_EVERY) % COMPANIES.length] as string;
  return {
    ...common,
    customerType: 'Business',
    preferredCardName: cardName(fullName),
    kyc: {
      fullName,
      entityType: 'company',
      businessRegistrationNumber: `R${random.integer(100_000, 999_999)}`,
      businessOperationAddress: address(random, city),
    },
  };
}

const address = (random: Random, city: City) => ({
  line1: `${random.pick(city.streets)} ${random.integer(1, 120)}`,
  line2: '',
  city: city.name,
  country: city.countryAlpha3,
  postalCode: city.postalCode,
});

/** As it is printed: capitals, accents left out where they can be, 27 at most. */
const cardName = (name: string): string =>
  name.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').toUpperCase().slice(0, 27).trimEnd();

const twoDigits = (value: number): string => String(value).padStart(2, '0');
