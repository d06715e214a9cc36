import type { Queryable, Tx } from '../db/database.ts';
import type { KycApplicant } from '../kyc/kyc.ts';

export interface ApplicantRow {
  recordId: string;
  review: KycApplicant['review'];
}

export async function findApplicantRow(
  db: Queryable,
  programId: string,
  applicantId: string,
): Promise<ApplicantRow | undefined> {
  const rows = await db.query<ApplicantRow>(
    {
      name: 'find_sandbox_applicant',
      text: `select record_id, review from sandbox_kyc_applicants
             where program_id = $1 and applicant_id = $2`,
    },
    [programId, applicantId],
  );
  return rows[0];
}

/** Registering an applicant again replaces the earlier data. */
export async function upsertApplicant(
  tx: Tx,
  programId: string,
  applicantId: string,
  { recordId, review }: ApplicantRow,
): Promise<void> {
  await tx.query(
    `insert into sandbox_kyc_applicants (program_id, applicant_id, record_id, review)
     values ($1, $2, $3, $4)
     on conflict (program_id, applicant_id) do update
       set record_id = excluded.record_id, review = excluded.review`,
    [programId, applicantId, recordId, review],
  );
}
