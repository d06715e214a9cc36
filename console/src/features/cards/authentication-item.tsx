import { IconLock, IconWallet } from '@tabler/icons-react';
import { Amount } from '../../components/amount.tsx';
import { ToneBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useProgram } from '../../lib/program.ts';
import type { AuthenticationDetail } from '../../lib/types.ts';
import { aboutWords, badgeOf, resultWords } from './authentication-result.ts';
import classes from './timeline.module.css';

/** One authentication: the request, its result, and how many codes were wrong. */
export function AuthenticationItem({
  authentication,
  onCard,
}: {
  authentication: AuthenticationDetail;
  /** Names the card. */
  onCard?: string | undefined;
}) {
  const { id, status, purpose, merchantName, amount, currency, created } = authentication;
  const [text, tone] = badgeOf(authentication);
  const { mode } = useProgram();
  const unnamed = purpose === 'wallet' ? 'Adding the card to a wallet' : 'Unknown merchant';
  return (
    <li className={classes.item}>
      <span className={classes.icon} data-declined={status === 'REJECTED' ? true : undefined}>
        {purpose === 'wallet' ? <IconWallet size={17} /> : <IconLock size={17} />}
      </span>
      <div className={classes.body}>
        <div className={classes.row}>
          <span className={classes.merchant}>{merchantName ?? unnamed}</span>
          {amount !== null && currency !== null && (
            <span className={classes.amount} data-quiet>
              <Amount value={amount} currency={currency} />
            </span>
          )}
        </div>
        <div className={classes.row}>
          <span className={classes.about}>
            <Timestamp value={created} clock />
            {[...(onCard ? [onCard] : []), ...aboutWords(authentication), resultWords(authentication)].map(
              (part) => (
                <span key={part}> · {part}</span>
              ),
            )}
            {status === 'CHALLENGE' && purpose === '3ds' && mode === 'sandbox' && (
              <>
                {' · '}
                <a href={`/challenge/${id}/`} target="_blank" rel="noopener noreferrer">
                  the cardholder's page
                </a>
              </>
            )}
          </span>
          <ToneBadge tone={tone}>{text}</ToneBadge>
        </div>
      </div>
    </li>
  );
}
