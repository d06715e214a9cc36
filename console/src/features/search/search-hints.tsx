import classes from './search-hints.module.css';

const HINTS: Array<[what: string, example: string]> = [
  ["Cardholder's name, at least three letters", 'lovelace'],
  ['Last four digits', '7803'],
  ['Phone number or e-mail', '+44 7700 900123'],
  ['Merchant', 'corner coffee'],
  ['Amount that was taken, with fees', '12.34'],
  ['Your own customer id', 'customer-42'],
  ['Card id', '019a85f2-7c1e-…'],
  ['Network transaction id', 'net-20261115-000042'],
];

/** Lists the possible searches while the box is empty. */
export function SearchHints() {
  return (
    <div className={classes.hints}>
      <p className={classes.title}>Find cards and transactions by any of these</p>
      <ul className={classes.list}>
        {HINTS.map(([what, example]) => (
          <li key={what}>
            <span>{what}</span>
            <span className={`${classes.example} mono`}>{example}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
