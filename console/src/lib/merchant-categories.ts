/** Common merchant categories in plain words. Other codes are shown as they are. */
export const CATEGORIES: Record<string, string> = {
  '3000': 'Airlines',
  '4111': 'Local transport',
  '4112': 'Railways',
  '4121': 'Taxis',
  '4511': 'Airlines',
  '4722': 'Travel agencies',
  '4789': 'Transport',
  '4814': 'Telephone',
  '4829': 'Money transfer',
  '4899': 'Streaming and cable',
  '4900': 'Utilities',
  '5045': 'Computers',
  '5200': 'Home improvement',
  '5310': 'Discount stores',
  '5311': 'Department stores',
  '5331': 'Variety stores',
  '5399': 'General goods',
  '5411': 'Groceries',
  '5412': 'Convenience stores',
  '5462': 'Bakeries',
  '5499': 'Food stores',
  '5541': 'Fuel stations',
  '5542': 'Fuel pumps',
  '5651': 'Clothing',
  '5661': 'Shoes',
  '5691': 'Clothing',
  '5712': 'Furniture',
  '5713': 'Floor coverings',
  '5732': 'Electronics',
  '5734': 'Software stores',
  '5812': 'Restaurants',
  '5813': 'Bars',
  '5814': 'Cafés and fast food',
  '5815': 'Digital media',
  '5816': 'Games',
  '5817': 'Apps',
  '5818': 'Digital goods',
  '5912': 'Pharmacies',
  '5921': 'Wine and spirits',
  '5933': 'Pawn shops',
  '5941': 'Sports goods',
  '5942': 'Books',
  '5943': 'Stationery',
  '5944': 'Jewellery',
  '5977': 'Cosmetics',
  '5992': 'Flowers',
  '5999': 'Special retail',
  '6010': 'Cash at a counter',
  '6011': 'Cash machines',
  '6012': 'Financial services',
  '6051': 'Quasi-cash and crypto',
  '6300': 'Insurance',
  '7011': 'Hotels',
  '7230': 'Hairdressers',
  '7311': 'Advertising',
  '7372': 'Software and hosting',
  '7512': 'Car hire',
  '7523': 'Parking',
  '7832': 'Cinemas',
  '7922': 'Theatre and tickets',
  '7995': 'Gambling',
  '7997': 'Clubs and gyms',
  '7999': 'Recreation',
  '8011': 'Doctors',
  '8021': 'Dentists',
  '8062': 'Hospitals',
  '8220': 'Universities',
  '8299': 'Schools',
  '8398': 'Charities',
  '8999': 'Professional services',
  '9399': 'Government services',
};

/** The codes of a category name, ignoring case; empty if the name is unknown. */
export const categoryCodes = (name: string): string[] =>
  Object.keys(CATEGORIES).filter((mcc) => CATEGORIES[mcc]?.toLowerCase() === name.toLowerCase());

/** A category name stands for its code, if it has only one: `Groceries` as `Groceries (5411)`. */
export const codeMeant = (text: string): string => {
  const chosen = /\((\d{4})\)$/.exec(text)?.[1];
  if (chosen) return chosen;
  const [code, ...others] = categoryCodes(text);
  return code && others.length === 0 ? code : text;
};

export const categoryName = (mcc: string): string | undefined => CATEGORIES[mcc];

/** `Groceries (5411)`, or the code alone. */
export const describeCategory = (mcc: string): string =>
  CATEGORIES[mcc] ? `${CATEGORIES[mcc]} (${mcc})` : mcc;
