import { audit } from '../../audit/audit.ts';
import type { Database } from '../../db/database.ts';
import { recordEvents } from '../../events/journal.ts';
import { currencyDigits } from '../../kernel/currencies.ts';
import { invalid } from '../../kernel/error.ts';
import { amountFromNumber, amountToNumber, MAX_AMOUNT_MINOR } from '../../kernel/money.ts';
import { lockMasterBalance } from '../../ledger/queries.ts';
import { type Actor, lockFor } from '../actor.ts';
import { lockProgram, updateProgram } from '../queries.ts';
import { isAlertSent, lowBalanceEvent } from './alert.ts';
import { readAccount } from './read-account.ts';

/** Sets or removes the alert. If the balance is below it already, the event is sent immediately. */
export async function changeAlert(db: Database, actor: Actor, alertBelow: number | null) {
  return db.transaction(async (tx) => {
    // The account before the program, as authorizations lock them.
    const balanceMinor = (await lockMasterBalance(tx, actor.program.id)) ?? 0n;
    const [before, current] = await lockFor(tx, actor, lockProgram(tx, actor.program.id));
    const { currency, id } = before;
    const alertBelowMinor = alertBelow === null ? null : readAmount(alertBelow, currency);
    // The same threshold again sends nothing again.
    const alertSent = before.alertSent && before.alertBelowMinor === alertBelowMinor;
    const changed = { ...before, alertBelowMinor, alertSent };
    const after = { ...changed, alertSent: isAlertSent(changed, balanceMinor) };
    await updateProgram(tx, after);
    if (after.alertSent && !changed.alertSent)
      recordEvents(tx, id, [lowBalanceEvent(after, balanceMinor, current.now())], current.now());
    const view = (minor: bigint | null) => ({
      alertBelow: minor === null ? null : amountToNumber(minor, currency),
    });
    await audit(tx, current, 'account.alert_changed', {
      before: view(before.alertBelowMinor),
      after: view(alertBelowMinor),
    });
    return readAccount(tx, after);
  });
}

function readAmount(value: number, currency: string): bigint {
  const minor = amountFromNumber(value, currency);
  if (minor === undefined)
    throw invalid('alertBelow', `must have at most ${currencyDigits(currency)} decimals in ${currency}`);
  if (minor < 0n || minor > MAX_AMOUNT_MINOR)
    throw invalid('alertBelow', 'must be 0 or more and within the largest supported amount');
  return minor;
}
