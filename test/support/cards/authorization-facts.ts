import type { AuthenticationFacts } from '../../../src/authorizations/core/authentication.ts';
import type { AuthorizationRequest, ClearingRequest } from '../../../src/authorizations/core/message.ts';
import type { TransactionRecord } from '../../../src/authorizations/core/transaction.ts';
import type { CardFacts } from '../../../src/cards/card-facts.ts';
import { NO_FEES, type Program, SANDBOX_BIN } from '../../../src/programs/program.ts';

/** Plain facts for tests of pure decisions: a healthy card of a program in euros, and a purchase it can pay. */
export const TODAY = '2030-05-15';
export const NOW_MS = Date.parse(`${TODAY}T12:00:00Z`);
export const CARD_ID = '00000000-0000-7000-8000-00000000000a';

export const someCard = (changes: Partial<CardFacts> = {}): CardFacts => ({
  cardId: CARD_ID,
  cardType: 'virtual',
  cardholderId: '00000000-0000-8000-8000-0000000000c1',
  designId: 'black',
  credentialId: 'credential-1',
  numberId: 'number-1',
  status: 'ACTIVE',
  statusReason: null,
  reasonCode: null,
  lastFour: '0042',
  expiryDate: '2031-06-30',
  cvvKeyId: 1,
  cvvSalt: 0,
  transactionLimitMinor: null,
  dailyLimitMinor: null,
  monthlyLimitMinor: null,
  allTimeLimitMinor: null,
  allowedMccs: [],
  blockedMccs: [],
  temporaryLimits: {},
  usage: null,
  metadata: null,
  availableMinor: 100_000n,
  eventSequence: 1,
  wrongCvvs: 0,
  wrongEntries: [],
  lastUsedAt: null,
  used: null,
  day: TODAY,
  daySpentMinor: 0n,
  monthSpentMinor: 0n,
  totalSpentMinor: 0n,
  heldMinor: 0n,
  refundedMinor: 0n,
  ...changes,
});

export const someProgram = (changes: Partial<Program> = {}): Program => ({
  ...NO_FEES,
  id: 'program-1',
  name: 'Test',
  mode: 'sandbox',
  currency: 'EUR',
  bin: SANDBOX_BIN,
  kycProvider: 'sandbox',
  enforceMasterBalance: false,
  authorizationMode: 'STANDARD',
  holdDays: 7,
  longHoldDays: 30,
  alertBelowMinor: null,
  alertSent: false,
  challengeAboveMinor: null,
  requireAuthenticationAboveMinor: null,
  authenticationDays: 90,
  overHoldPercent: 20,
  allowedExemptions: [],
  rulesVersion: 0n,
  rulesGuardPercent: 5,
  supportLimitFactor: 2,
  supportLimitDays: 7,
  secondPersonAboveMinor: null,
  clockOffsetMs: 0,
  clockMovedAt: null,
  createdAt: new Date(0),
  ...changes,
});

export const someMerchant = { id: 'm-1', name: 'Corner Coffee', mcc: '5814', city: 'London', country: 'GBR' };

export const someRequest = (changes: Partial<AuthorizationRequest> = {}): AuthorizationRequest => ({
  kind: 'authorization',
  messageId: 'net-1',
  externalTransactionId: changes.messageId ?? 'net-1',
  amountMinor: 1_000n,
  currency: 'EUR',
  billAmountMinor: 1_000n,
  card: { cardId: CARD_ID, numberId: 'number-1' },
  expiry: '2031-06',
  cvv: undefined,
  channel: 'POS',
  acceptor: someMerchant,
  type: 'PURCHASE',
  partialApproval: false,
  authentication: undefined,
  splitOf: undefined,
  network: null,
  content: { digest: Buffer.alloc(32), matches: () => true },
  ...changes,
});

export const someClearing = (changes: Partial<ClearingRequest> = {}): ClearingRequest => ({
  kind: 'clearing',
  messageId: 'clr-1',
  purchase: { externalTransactionId: 'net-1' },
  card: undefined,
  channel: undefined,
  acceptor: undefined,
  network: null,
  interchangeMinor: undefined,
  final: true,
  amountMinor: 1_000n,
  currency: 'EUR',
  billAmountMinor: 1_000n,
  content: { digest: Buffer.alloc(32), matches: () => true },
  ...changes,
});

/** Authentications of a program, named by what they are. */
export function someAuthentications(): Map<string, AuthenticationFacts> {
  const own: Omit<AuthenticationFacts, 'authenticationId'> = {
    cardId: CARD_ID,
    merchantId: someMerchant.id,
    isAuthenticated: true,
    completedAt: new Date(NOW_MS),
    amountMinor: 300n,
    currency: 'EUR',
    usedBy: [],
  };
  const all = {
    own,
    'own, abroad': { ...own, currency: 'USD' },
    'own, small': { ...own, amountMinor: 20n },
    'own, not completed': { ...own, isAuthenticated: false, completedAt: null },
    'own, old': { ...own, completedAt: new Date(NOW_MS - 91 * 86_400_000) },
    'of another merchant': { ...own, merchantId: 'm-2' },
    'of another card': { ...own, cardId: '00000000-0000-7000-8000-00000000000c' },
  };
  return new Map(Object.entries(all).map(([id, facts]) => [id, { authenticationId: id, ...facts }]));
}

/** Of what is held, in proportion. */
const heldAmountOf = ({
  amountMinor = 1_000n,
  billAmountMinor = 1_000n,
  heldMinor = 1_000n,
}: Partial<TransactionRecord>): bigint =>
  billAmountMinor === 0n ? 0n : (amountMinor * heldMinor + billAmountMinor - 1n) / billAmountMinor;

export const someTransaction = (changes: Partial<TransactionRecord> = {}): TransactionRecord => ({
  id: '00000000-0000-7000-8000-00000000000b',
  cardId: CARD_ID,
  credentialId: 'credential-1',
  kind: 'purchase',
  type: 'PURCHASE',
  parentId: null,
  externalTransactionId: 'net-1',
  status: 'PENDING',
  amountMinor: 1_000n,
  currency: 'EUR',
  billAmountMinor: 1_000n,
  billCurrency: 'EUR',
  authorizationMode: 'STANDARD',
  channel: 'POS',
  acceptor: someMerchant,
  authentication: null,
  declineReason: null,
  networkCode: '00',
  approvalCode: '123456',
  fxFeeBps: 0,
  atmFeeMinor: 0n,
  heldMinor: 1_000n,
  heldAmountMinor: heldAmountOf(changes),
  increments: [],
  renewedAt: null,
  holdEnd: null,
  advised: false,
  clearedMinor: 0n,
  fxClearedMinor: 0n,
  final: false,
  clearedAmountMinor: 0n,
  clearedCurrency: null,
  flags: [],
  metadata: null,
  network: null,
  rules: null,
  cvvGiven: false,
  createdAt: new Date(NOW_MS),
  approvedOn: TODAY,
  counted: [{ day: TODAY, minor: 1_000n }],
  ...changes,
});
