import { Fragment } from 'react';
import classes from './email.module.css';

/** Breaks before the domain and at its dots. */
export function Email({ address }: { address: string }) {
  const [name, domain = ''] = address.split(/(?=@)/);
  return (
    <span className={classes.email}>
      {name}
      {domain.split(/(?=[@.])/).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts never move.
        <Fragment key={index}>
          <wbr />
          {part}
        </Fragment>
      ))}
    </span>
  );
}
