import type { Tx } from '../db/database.ts';
import { valuesOf } from '../db/row.ts';
import type { Authentication } from './authentication.ts';

/** Writes the result. The code is of no use any more. */
export function updateResult(tx: Tx, authentication: Authentication): void {
  tx.send(
    {
      name: 'update_authentication_result',
      text: `update authentications
             set status = $3, trans_status = $4, reason = $5, completed_at = $6, otp_digests = '{}', sandbox_otp = null
             where program_id = $1 and id = $2`,
    },
    valuesOf('program_id, id, status, trans_status, reason, completed_at', authentication),
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
