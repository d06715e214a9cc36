import type { Tone } from '../../components/status-badge.tsx';
import type { Role } from '../../lib/types.ts';
import type { DecisionFailure, Endpoint, Kind, Mode, OnFailure, TestAnswer } from './queries.ts';

export const MODES: Record<Mode, { label: string; words: string }> = {
  STANDARD: {
    label: 'Standard',
    words: "Emboss decides by the card's status, limits and available credit. Your server gets no requests.",
  },
  REAL_TIME: {
    label: 'Real-time',
    words:
      "Your server decides and keeps the balances: a card's available credit is neither checked nor changed.",
  },
  BOTH: {
    label: 'Both',
    words: "Your server decides, and the card's available credit must cover the purchase too.",
  },
};

interface KindWords {
  title: string;
  /** The role that changes the endpoint. */
  role: Role;
  /** While there is none. */
  none: string;
  /** After "Emboss posts". */
  posts: string;
  /** What happens without a usable response; for an authorization it is a setting. */
  withoutAnswer?: string;
  removed: string;
  resumed: string;
}

export const KINDS: Record<Kind, KindWords> = {
  authorization: {
    title: 'Authorizations',
    role: 'manager',
    none: 'The endpoint is a URL on your server that approves or declines each authorization. Requests are signed.',
    posts: 'each authorization to it and waits for the decision',
    removed:
      'Increments of purchases made in Real-time or Both mode are declined, because no server can decide them.',
    resumed: 'From the next authorization on, your server decides again.',
  },
  authentication: {
    title: 'Authentications (3-D Secure)',
    role: 'admin',
    none: 'With an endpoint your server approves, challenges or declines each online payment before it is authorized. Without one the rule of the program applies.',
    posts: 'each authentication to it and waits for the decision',
    withoutAnswer: 'The cardholder is challenged.',
    removed: 'The rule of the program decides which payments are challenged.',
    resumed: 'From the next authentication on, your server decides again.',
  },
  otp: {
    title: 'One-time passwords',
    role: 'admin',
    none: 'With an endpoint your server sends the codes of 3-D Secure and of wallets to the cardholder, its own way. Without one, live programs cannot challenge by code.',
    posts: 'each code to it, and your server sends it to the cardholder',
    withoutAnswer: 'The code counts as not sent, and the cardholder cannot be challenged.',
    removed: 'Live programs can no longer challenge by code.',
    resumed: 'From the next code on, your server sends them again.',
  },
};

export const WHY_PASSWORD =
  'This server decides for your cardholders or gets their codes, so confirm your password.';

export const ON_FAILURE: Record<OnFailure, { label: string; words: string }> = {
  DECLINE: { label: 'Decline', words: 'The authorization is declined.' },
  STANDARD: {
    label: 'Decide as in Standard',
    words: "Emboss decides by the card's available credit, and changes it.",
  },
  APPROVE: {
    label: 'Approve within limits',
    words: 'The authorization is approved up to the limits below, and declined above them.',
  },
};

/** The state of the endpoint, in a word. */
export function stateOf({ kind, standInReason }: Endpoint, mode: Mode): { tone: Tone; text: string } {
  if (standInReason === 'failing') return { tone: 'bad', text: 'Failing' };
  if (standInReason === 'paused') return { tone: 'warn', text: 'Paused' };
  return kind === 'authorization' && mode === 'STANDARD'
    ? { tone: 'quiet', text: 'Not used' }
    : { tone: 'good', text: 'Active' };
}

const OUTCOMES: Record<TestAnswer['outcome'], { tone: Tone; text: string }> = {
  approved: { tone: 'good', text: 'Approved' },
  declined: { tone: 'good', text: 'Declined' },
  challenged: { tone: 'good', text: 'Challenged' },
  sent: { tone: 'good', text: 'Sent' },
  timeout: { tone: 'bad', text: 'No response in time' },
  unreachable: { tone: 'bad', text: 'Not reachable' },
  invalid: { tone: 'bad', text: 'Response cannot be used' },
};

/** Whether requests of the kind go to its endpoint. */
export const isInCharge = (kind: Kind, mode: Mode): boolean =>
  kind !== 'authorization' || mode !== 'STANDARD';

export const failureWords = ({ outcome, error, statusCode }: Omit<DecisionFailure, 'at' | 'answerStart'>) =>
  `${OUTCOMES[outcome].text}${error === null ? '' : `: ${error}`}${statusCode === null ? '' : ` (response ${statusCode})`}.`;

/** The result of a test: the outcome, and a sentence with its duration. */
export function testWords({ outcome, statusCode, error, durationMs }: TestAnswer) {
  const isUsable = OUTCOMES[outcome].tone === 'good';
  const what = outcome === 'sent' ? 'test code' : 'test purchase';
  const sentence = isUsable
    ? `Your server ${outcome} the ${what} in ${durationMs} ms.`
    : `${capital(error ?? 'no response')}${statusCode === null ? '' : ` (response ${statusCode})`}, after ${durationMs} ms.`;
  return { ...OUTCOMES[outcome], sentence };
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
