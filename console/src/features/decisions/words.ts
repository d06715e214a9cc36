import type { Tone } from '../../components/status-badge.tsx';
import type { Endpoint, Mode, OnFailure, TestAnswer } from './queries.ts';

export const MODES: Record<Mode, { label: string; words: string }> = {
  STANDARD: {
    label: 'Standard',
    words: "Emboss decides by the card's status, limits and available credit. Your server is not asked.",
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

/** Whether the endpoint is asked, in a word. */
export function stateOf({ standInReason }: Endpoint, mode: Mode): { tone: Tone; text: string } {
  if (standInReason === 'failing') return { tone: 'bad', text: 'Not asked: failing' };
  if (standInReason === 'paused') return { tone: 'warn', text: 'Not asked: paused' };
  return mode === 'STANDARD' ? { tone: 'quiet', text: 'Not used' } : { tone: 'good', text: 'Asked' };
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

/** The result of a test: the outcome, and a sentence with its duration. */
export function testWords({ outcome, statusCode, error, durationMs }: TestAnswer) {
  const isDecided = outcome === 'approved' || outcome === 'declined';
  const sentence = isDecided
    ? `Your server ${outcome} the test purchase in ${durationMs} ms.`
    : `${capital(error ?? 'no response')}${statusCode === null ? '' : ` (response ${statusCode})`}, after ${durationMs} ms.`;
  return { ...OUTCOMES[outcome], sentence };
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
