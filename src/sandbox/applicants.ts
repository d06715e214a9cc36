import type { Static } from 'typebox';
import type { Database } from '../db/database.ts';
import type { Remember } from '../http/idempotency.ts';
import { newId } from '../kernel/ids.ts';
import type { KycApplicant } from '../kyc/kyc.ts';
import type { Vault } from '../vault/vault.ts';
import { findApplicantRow, upsertApplicant } from './queries.ts';
import type { ApplicantBody } from './schema.ts';

type ApplicantData = Omit<KycApplicant, 'review'>;

export async function registerApplicant(
  { db, vault }: { db: Database; vault: Vault },
  programId: string,
  body: Static<typeof ApplicantBody>,
  remember: Remember,
) {
  const { kycApplicantId, review = 'approved' } = body;
  const recordId = newId(Date.now());
  const answer = { kycApplicantId, review };
  await db.transaction(async (tx) => {
    await vault.sealRecord(
      tx,
      { programId, ownerId: recordId, kind: 'kyc-applicant', id: recordId },
      applicantData(body),
    );
    await upsertApplicant(tx, programId, kycApplicantId, { recordId, review });
    await remember(tx, answer);
  });
  return answer;
}

export async function findRegisteredApplicant(
  { db, vault }: { db: Database; vault: Vault },
  programId: string,
  applicantId: string,
): Promise<KycApplicant | null> {
  const row = await findApplicantRow(db, programId, applicantId);
  if (!row) return null;
  const data = (await vault.openRecords(db, programId, 'kyc-applicant', [row.recordId])).get(row.recordId);
  return { review: row.review, ...(data as ApplicantData) };
}

function applicantData({ customerType, kyc }: Static<typeof ApplicantBody>): ApplicantData {
  const address = customerType === 'Consumer' ? kyc.residentialAddress : kyc.businessOperationAddress;
  return {
    customerType,
    firstName: kyc.firstName ?? null,
    lastName: kyc.lastName ?? null,
    dob: kyc.dob ?? null,
    country: kyc.country ?? address?.country ?? null,
    fullName: kyc.fullName ?? null,
    businessRegistrationNumber: kyc.businessRegistrationNumber ?? null,
  };
}
