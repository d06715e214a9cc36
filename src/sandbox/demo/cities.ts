export interface City {
  name: string;
  country: string;
  countryAlpha3: string;
  currency: string;
  dialCode: number;
  /** What its clocks show when it is noon UTC, less noon. Summer time is left out. */
  utcOffsetHours: number;
  postalCode: string;
  streets: readonly string[];
}

const city = (
  name: string,
  country: string,
  countryAlpha3: string,
  currency: string,
  dialCode: number,
  utcOffsetHours: number,
  postalCode: string,
  streets: string,
): City => ({
  name,
  country,
  countryAlpha3,
  currency,
  dialCode,
  utcOffsetHours,
  postalCode,
  streets: streets.split(', '),
});

/** Where cardholders live; most of them where the card's currency is paid with. */
export const HOMES: readonly City[] = [
  city('Berlin', 'DE', 'DEU', 'EUR', 49, 1, '10245', 'Lindenallee, Gartenstraße, Am Kanal'),
  city('Hamburg', 'DE', 'DEU', 'EUR', 49, 1, '22767', 'Hafenweg, Speicherstraße, Elbgasse'),
  city('Vienna', 'AT', 'AUT', 'EUR', 43, 1, '1070', 'Rosengasse, Bergstraße, Am Ring'),
  city('Paris', 'FR', 'FRA', 'EUR', 33, 1, '75011', 'Rue des Lilas, Rue du Marché, Passage Vert'),
  city('Lyon', 'FR', 'FRA', 'EUR', 33, 1, '69003', 'Quai des Brumes, Rue de la Soie'),
  city('Madrid', 'ES', 'ESP', 'EUR', 34, 1, '28004', 'Calle del Olivo, Calle Mayor Alta, Paseo Nuevo'),
  city('Lisbon', 'PT', 'PRT', 'EUR', 351, 0, '1200-109', 'Rua das Flores, Travessa do Rio'),
  city('Milan', 'IT', 'ITA', 'EUR', 39, 1, '20121', 'Via dei Tigli, Corso del Lago'),
  city('Amsterdam', 'NL', 'NLD', 'EUR', 31, 1, '1016 DK', 'Tulpengracht, Molenstraat'),
  city('Brussels', 'BE', 'BEL', 'EUR', 32, 1, '1050', 'Rue du Parc, Avenue des Ormes'),
  city('Dublin', 'IE', 'IRL', 'EUR', 353, 0, 'D02 X285', 'Harbour Row, Heather Lane'),
  city('Helsinki', 'FI', 'FIN', 'EUR', 358, 2, '00530', 'Koivukatu, Satamatie'),
  city('Athens', 'GR', 'GRC', 'EUR', 30, 2, '10558', 'Odos Elias, Odos Limaniou'),
  city('Tallinn', 'EE', 'EST', 'EUR', 372, 2, '10111', 'Kase tänav, Mere puiestee'),
  city('London', 'GB', 'GBR', 'GBP', 44, 0, 'E1 6AN', 'Orchard Row, Tanner Street'),
  city('Warsaw', 'PL', 'POL', 'PLN', 48, 1, '00-238', 'ulica Lipowa, aleja Wiosny'),
  city('Zurich', 'CH', 'CHE', 'CHF', 41, 1, '8004', 'Seegasse, Hügelweg'),
];

/** Where they travel. */
export const DESTINATIONS: readonly City[] = [
  ...HOMES.filter(({ name }) => ['Paris', 'Lisbon', 'Athens', 'London', 'Zurich'].includes(name)),
  city('New York', 'US', 'USA', 'USD', 1, -5, '10011', 'Birch Street, Mill Avenue'),
  city('Tokyo', 'JP', 'JPN', 'JPY', 81, 9, '150-0001', 'Sakura-dori, Kawa-dori'),
  city('Istanbul', 'TR', 'TUR', 'TRY', 90, 3, '34433', 'Lale Sokak, Deniz Caddesi'),
  city('Stockholm', 'SE', 'SWE', 'SEK', 46, 1, '111 22', 'Björkgatan, Strandvägen Norra'),
  city('Copenhagen', 'DK', 'DNK', 'DKK', 45, 1, '1200', 'Havnegade Øst, Birkevej'),
  city('Prague', 'CZ', 'CZE', 'CZK', 420, 1, '110 00', 'Lipová, Na Břehu'),
  city('Budapest', 'HU', 'HUN', 'HUF', 36, 1, '1051', 'Hárs utca, Duna sor'),
  city('Tunis', 'TN', 'TUN', 'TND', 216, 1, '1000', 'Rue des Oliviers, Avenue du Port'),
  city('Dubai', 'AE', 'ARE', 'AED', 971, 4, '00000', 'Palm Road, Creek Street'),
  city('Singapore', 'SG', 'SGP', 'SGD', 65, 8, '069609', 'Orchid Road, Quay Street'),
];
