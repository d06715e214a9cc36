import type { Tx } from '../db/database.ts';
import { parametersOf, valuesOf } from '../db/row.ts';
import type { Authentication } from './authentication.ts';

const RESULT = 'status, trans_status, reason, completed_at';

/** Writes the result. The code is of no use any more. */
export function updateResult(tx: Tx, authentication: Authentication): void {
  tx.send(
    {
      name: 'update_authentication_result',
      text: `update authentications
             set (${RESULT}) = (${parametersOf(RESULT, 3)}), otp_digests = '{}', sandbox_otp = null
             where program_id = $1 and id = $2`,
    },
    [authentication.programId, authentication.id, ...valuesOf(RESULT, authentication)],
  );
}

export function updateSendStarted(
  tx: Tx,
  { programId, id, sends, sendStartedAt, otpDigests, destination }: Authentication,
  sandboxOtp: Buffer | null,
): void {
  tx.send(
    {
      name: 'update_authentication_send',
      text: `update authentications
             set sends = $3, send_started_at = $4, otp_digests = $5, destination = $6, sandbox_otp = $7
             where program_id = $1 and id = $2`,
    },
    [programId, id, sends, sendStartedAt, otpDigests, destination, sandboxOtp],
  );
}

export function updateSent(
  tx: Tx,
  { programId, id }: Pick<Authentication, 'programId' | 'id'>,
  code: { otpDigests: Buffer[]; sentAt: Date; expiresAt: Date },
): void {
  tx.send(
    {
      name: 'update_authentication_sent',
      text: `update authentications set otp_digests = $3, sent_at = $4, expires_at = $5
             where program_id = $1 and id = $2`,
    },
    [programId, id, code.otpDigests, code.sentAt, code.expiresAt],
  );
}
