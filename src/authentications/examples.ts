import { EXAMPLE_MERCHANT } from '../cards/network-schema.ts';

const { city: _, ...merchant } = EXAMPLE_MERCHANT;

export const EXAMPLE_CHALLENGE = {
  authentication_id: 'acs-000042',
  status: 'CHALLENGE',
  trans_status: 'C',
  method: 'OTP',
  destination: '•••123',
  expires_at: '2026-11-15T08:35:00+0000',
  reason: null,
  attempts_left: 3,
  sends_left: 2,
};
export const EXAMPLE_DONE = {
  ...EXAMPLE_CHALLENGE,
  status: 'AUTHENTICATED',
  trans_status: 'Y',
  attempts_left: 0,
  sends_left: 0,
};
export const EXAMPLE_CANCELLED = {
  ...EXAMPLE_DONE,
  status: 'REJECTED',
  trans_status: 'N',
  reason: 'cancelled',
};
export const EXAMPLE_TOKENIZATION = {
  tokenization_id: 'wallet-000042',
  status: 'CHALLENGE',
  destination: '•••123',
  expires_at: '2026-11-15T08:35:00+0000',
  reason: null,
  attempts_left: 3,
  sends_left: 2,
};
export const EXAMPLE_OPEN = {
  id: '019a85f2-7c1e-7004-9f3e-5a1c2b3d4e5f',
  authentication_id: 'acs-000042',
  purpose: '3ds',
  card_id: '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f',
  status: 'CHALLENGE',
  trans_status: 'C',
  method: 'OUT_OF_BAND',
  reason: null,
  amount: '12.50',
  currency: 'EUR',
  merchant,
  expires_at: '2026-11-15T08:35:00+0000',
};
export const EXAMPLE_ANSWERED = { ...EXAMPLE_OPEN, status: 'AUTHENTICATED', trans_status: 'Y' };
