import { audit } from '../../audit/audit.ts';
import type { Actor } from '../../programs/actor.ts';
import { countReveal, type RevealServices } from '../reveal-credentials.ts';
import type { CreateCardBody } from '../schema.ts';
import { findCustomer } from './find-customer.ts';

/** By what a caller is verified, as submitted with the newest card. */
export interface Identity {
  name: string;
  /** Null for a business. */
  dob: string | null;
  /** Null for a person. */
  registrationNumber: string | null;
  address: { line1: string; line2: string; postalCode: string | null; city: string; country: string };
}

/** As JSON, in bytes that the route overwrites after it has sent them. The audit entry commits before. */
export async function revealIdentity(
  services: RevealServices,
  actor: Actor,
  customerId: string,
): Promise<Buffer> {
  const { db, vault } = services;
  const { id: programId } = actor.program;
  countReveal(services, actor.id, programId);
  return db.transaction(async (tx) => {
    const { cards } = await findCustomer({ db: tx, vault }, programId, customerId);
    const { id: cardId } = cards[0];
    const applications = await vault.openRecords(tx, programId, 'application', [cardId]);
    await audit(tx, actor, 'console.revealed_identity', { cardId });
    const { kyc } = applications.get(cardId) as Pick<CreateCardBody, 'kyc'>;
    return Buffer.from(JSON.stringify(identityOf(kyc)));
  });
}

function identityOf(kyc: CreateCardBody['kyc']): Identity {
  if ('fullName' in kyc)
    return {
      name: kyc.fullName,
      dob: null,
      registrationNumber: kyc.businessRegistrationNumber,
      address: addressOf(kyc.businessOperationAddress),
    };
  return {
    name: `${kyc.firstName} ${kyc.lastName}`,
    dob: kyc.dob,
    registrationNumber: null,
    address: addressOf(kyc.residentialAddress),
  };
}

type Submitted = Omit<Identity['address'], 'postalCode'> & { postalCode?: string | undefined };

const addressOf = ({ line1, line2, postalCode = undefined, city, country }: Submitted) => ({
  line1,
  line2,
  postalCode: postalCode ?? null,
  city,
  country,
});
