import { Amount } from '../../components/amount.tsx';

/** What a total consists of, if fees are a part of it: "€40.37 and €0.71 fees". */
export function WithFees({
  of: { total, billAmount, billCurrency },
}: {
  of: { total: string; billAmount: string; billCurrency: string };
}) {
  const fees = Number(total) - Number(billAmount);
  // With the decimals of the amounts: binary fractions do not add up exactly.
  const digits = total.split('.')[1]?.length ?? 0;
  return (
    <span className="nowrap">
      <Amount value={billAmount} currency={billCurrency} /> and{' '}
      <Amount value={fees.toFixed(digits)} currency={billCurrency} /> fees
    </span>
  );
}
