import { businessCard, consumerCard } from '../support/cards/cards.ts';
import { type Accepted, CARDS, differences, type Effect, type Json } from './effect.ts';
import { remember } from './pool.ts';

const PLAIN_NAME = /^[A-Za-z][A-Za-z ]*[A-Za-z]$/;
const LONGEST_NAME = 20;
const BORN = /^(19|200)\d/;

/** Somebody for whom nothing is registered gets a card: only a record that is found can refuse one. */
export const registerKycApplicant: Effect = async (accepted) => {
  const { sent, answer, pool, ask } = accepted;
  const { kycApplicantId, customerType, review = 'approved' } = sent;
  remember(pool.applicants, kycApplicantId);
  const wrong = differences(answer, { kycApplicantId, review });
  const asksFor = async (card: Json, beginning: string) => {
    const { status, body } = await ask('POST', CARDS, { body: { ...card, kycApplicantId } });
    if (status !== 400 || !body.message.startsWith(beginning))
      wrong.push(`wanted a refusal for ${beginning}, found ${status} ${JSON.stringify(body).slice(0, 200)}`);
  };
  const [own, other] =
    customerType === 'Consumer' ? [consumerCard(), businessCard()] : [businessCard(), consumerCard()];
  if (review !== 'approved') {
    await asksFor(own, `kycApplicantId: the applicant is not approved (${review})`);
    return wrong;
  }
  await asksFor(other, 'customerType: differs');
  const [name, field] =
    customerType === 'Consumer' ? [sent.kyc.firstName, 'firstName'] : [sent.kyc.fullName, 'fullName'];
  const isNamed = typeof name === 'string' && PLAIN_NAME.test(name);
  await asksFor(
    { ...own, kyc: { ...own.kyc, [field]: 'Somebody Else' } },
    `kyc.${field}: ${isNamed ? 'differs' : ''}`,
  );
  return [...wrong, ...(await cardForWhoIsRegistered(accepted))];
};

const isShortName = (name: string): boolean => PLAIN_NAME.test(name) && name.length <= LONGEST_NAME;

/** With the data of the record a card is made; only where they are such that no other rule refuses them. */
async function cardForWhoIsRegistered({ sent, ask }: Accepted): Promise<string[]> {
  const { kycApplicantId, customerType, kyc } = sent;
  const isConsumer = customerType === 'Consumer';
  const address = isConsumer ? 'residentialAddress' : 'businessOperationAddress';
  const country = kyc.country ?? kyc[address]?.country;
  const data: Json = isConsumer
    ? { firstName: kyc.firstName, lastName: kyc.lastName, dob: kyc.dob }
    : { fullName: kyc.fullName, businessRegistrationNumber: kyc.businessRegistrationNumber };
  if (Object.values(data).includes(undefined) || country === undefined) return [];
  const isPlain = isConsumer
    ? [data.firstName, data.lastName].every(isShortName) && BORN.test(data.dob)
    : PLAIN_NAME.test(data.fullName) && /^[A-Z0-9]+$/.test(data.businessRegistrationNumber);
  if (!isPlain) return [];
  const card: Json = isConsumer ? consumerCard() : businessCard();
  const { status, body } = await ask('POST', CARDS, {
    body: {
      ...card,
      kycApplicantId,
      kyc: { ...card.kyc, ...data, [address]: { ...card.kyc[address], country } },
    },
  });
  return status === 201
    ? []
    : [`a card for who is registered is answered ${status} ${JSON.stringify(body).slice(0, 200)}`];
}
