import type { Tone } from '../../components/status-badge.tsx';
import type { AuthenticationDetail } from '../../lib/types.ts';

type Answered = Pick<AuthenticationDetail, 'status' | 'method' | 'reason'>;
type Reason = NonNullable<AuthenticationDetail['reason']>;

/** Why there was no authentication. */
export const FAILED: Record<Reason, string> = {
  unknown_card: 'Refused: the card number is not known',
  card_blocked: 'Refused: the card is blocked',
  card_frozen: 'Refused: the card is frozen',
  card_expired: 'Refused: the card has expired',
  expiry_mismatch: 'Refused: wrong expiry date',
  too_many_attempts: 'Too many wrong codes for this card within an hour',
  declined_by_program: 'Declined by your server',
  no_channel: 'No way to challenge the cardholder',
  too_many_sends: 'Too many codes sent for this card within an hour',
  send_failed: 'The code could not be sent',
  otp_wrong: 'The code was wrong three times',
  not_approved: 'Not approved in the app',
  cancelled: 'Cancelled by the cardholder',
  expired: 'Not answered in time',
};

/** How an authentication was answered. */
export function resultWords({ status, method, reason }: Answered): string {
  if (reason !== null) return FAILED[reason];
  if (status === 'CHALLENGE')
    return method === 'OTP' ? 'Waiting for the code' : 'Waiting for approval in the app';
  if (method === null) return 'Approved without a challenge';
  return method === 'OTP' ? 'Confirmed with a code' : 'Approved in the app';
}

const BADGES: Record<AuthenticationDetail['status'], readonly [text: string, tone: Tone]> = {
  AUTHENTICATED: ['Authenticated', 'good'],
  CHALLENGE: ['Open', 'warn'],
  REJECTED: ['Rejected', 'bad'],
  UNAVAILABLE: ['Unavailable', 'quiet'],
};
export const badgeOf = ({ status }: Pick<Answered, 'status'>) => BADGES[status];

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** The request, and what happened until its result. */
export const aboutWords = (authentication: AuthenticationDetail): string[] => {
  const { purpose, category, wrongCodes, codesSent, isUsed, wallet } = authentication;
  return [
    purpose === 'wallet' ? `Wallet${wallet ? ` ${wallet}` : ''}` : '3-D Secure',
    ...(category === 'NON_PAYMENT' ? ['without a payment'] : []),
    ...(codesSent > 1 ? [`${codesSent} codes, failed sends included`] : []),
    ...(wrongCodes > 0 ? [counted(wrongCodes, 'wrong code', 'wrong codes')] : []),
    ...(isUsed ? ['used for a purchase'] : []),
  ];
};
