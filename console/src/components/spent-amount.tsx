import { spentWords } from '../lib/money.ts';
import classes from './spent-amount.module.css';

/**
 * An amount of a transaction for the cardholder: what was spent has no sign; what the card gets back, below zero in the
 * API, has a plus sign and is green.
 */
export const SpentAmount = ({ value, currency }: { value: string; currency: string }) => (
  <span className={`num ${Number(value) < 0 ? classes.back : ''}`}>{spentWords(value, currency)}</span>
);
