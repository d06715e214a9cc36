import type { Tx } from '../db/database.ts';
import type { Authentication } from './authentication.ts';

/** Writes the result. The code is of no use any more. */
export function updateResult(tx: Tx, authentication: Authentication): void {
  tx.send(
    {
      name: 'update_authentication_result',
      text: `update authentications
             set status = $3, trans_status = $4, reason = $5, completed_at = $6, otp_digest = null, sandbox_otp = null
             where program_id = $1 and id = $2`,
    },
    [
      authentication.programId,
      authentication.id,
      authentication.status,
      authentication.transStatus,
      authentication.reason,
      authentication.completedAt,
    ],
  );
}

export function updateSendStarted(
  tx: Tx,
  {
    programId,
    id,
    sends,
    sendStartedAt,
  }: Pick<Authentication, 'programId' | 'id' | 'sends' | 'sendStartedAt'>,
): void {
  tx.send(
    {
      name: 'update_authentication_send',
      text: 'update authentications set sends = $3, send_started_at = $4 where program_id = $1 and id = $2',
    },
    [programId, id, sends, sendStartedAt],
  );
}

export function updateSent(
  tx: Tx,
  { programId, id }: Pick<Authentication, 'programId' | 'id'>,
  code: { otpDigest: Buffer; sandboxOtp: Buffer | null; sentAt: Date; expiresAt: Date },
): void {
  tx.send(
    {
      name: 'update_authentication_sent',
      text: `update authentications set otp_digest = $3, sandbox_otp = $4, sent_at = $5, expires_at = $6
             where program_id = $1 and id = $2`,
    },
    [programId, id, code.otpDigest, code.sandboxOtp, code.sentAt, code.expiresAt],
  );
}
