/**
 * ISO 4217 minor-unit digits. Our own table: the digits in `Intl` follow CLDR and differ from ISO 4217 for
 * some thirty currencies, which would put the decimal point of real money in the wrong place.
 */
const DIGITS: Record<number, string> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF
      CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ
      GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD
      MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON
      RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS
      UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const digitsByCurrency = new Map<string, number>(
  Object.entries(DIGITS).flatMap(([digits, codes]) =>
    codes
      .trim()
      .split(/\s+/)
      .map((code) => [code, Number(digits)] as const),
  ),
);

export const isCurrency = (code: string): boolean => digitsByCurrency.has(code);

/** How many decimals an amount in this currency has. */
export function currencyDigits(code: string): number {
  const digits = digitsByCurrency.get(code);
  if (digits === undefined) throw new RangeError(`unknown currency ${code}`);
  return digits;
}

/** The currencies with this number of decimals. */
export const currenciesWith = (digits: number): string[] =>
  (DIGITS[digits] ?? '').split(/\s+/).filter(Boolean);
