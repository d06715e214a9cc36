export interface Culture {
  /** Where these names are most at home. */
  countries: readonly string[];
  first: readonly string[];
  last: readonly string[];
}

const culture = (countries: string, first: string, last: string): Culture => ({
  countries: countries.split(' '),
  first: first.split(' '),
  last: last.split(' '),
});

/** Common names of many countries, combined by chance: nobody in particular. */
export const CULTURES: readonly Culture[] = [
  culture(
    'DE AT CH',
    'Anna Lukas Mia Jonas Lea Felix Jürgen Katrin',
    'Schäfer Vogel Brandt Keller Weiß Lorenz',
  ),
  culture(
    'FR BE CH',
    'Camille Hugo Léa Théo Manon Étienne Chloé',
    'Moreau Lefèvre Girard Fontaine Mercier Roussel',
  ),
  culture('ES', 'Lucía Mateo Carmen Javier Sofía Álvaro', 'Navarro Ortega Ibáñez Castillo Peña Vidal'),
  culture('PT', 'Inês Tiago Beatriz Rui Mariana Duarte', 'Carvalho Teixeira Moura Pinheiro Cunha'),
  culture(
    'IT CH',
    'Giulia Lorenzo Chiara Matteo Elena Davide',
    'Ferrara Conti Marchetti Gallo Bruno Rinaldi',
  ),
  culture('NL BE', 'Sanne Daan Femke Bram Lotte Jeroen', 'Visser Dekker Kuipers Bakker Hoekstra'),
  culture('IE GB', 'Aoife Conor Niamh Oliver Grace Rory Emily', 'Byrne Gallagher Whitfield Ashdown Kavanagh'),
  culture('PL', 'Zofia Jakub Agnieszka Piotr Magdalena', 'Wójcik Zieliński Kamińska Lis Mazur'),
  culture('GR', 'Eleni Nikos Katerina Dimitris Ioanna', 'Pappas Karras Vlachou Makris Galanis'),
  culture('FI EE', 'Aino Eero Helmi Kaarel Liisa Mikko', 'Korhonen Mäkelä Tamm Saar Laine'),
  culture('TR', 'Elif Emre Zeynep Mert Ayşe', 'Yıldız Demir Aydın Koç Şahin'),
  culture('NG', 'Chidi Ngozi Tunde Amara Ifeoma', 'Okafor Adeyemi Balogun Eze Nwosu'),
  culture('IN', 'Priya Arjun Ananya Rohan Meera', 'Sharma Iyer Patel Reddy Banerjee'),
  culture('VN', 'Linh Minh Thảo Đức Hương', 'Nguyễn Trần Phạm Võ Đặng'),
  culture('JP', 'Haruka Kenji Yui Sota Emi', 'Tanaka Fujimoto Ishii Nakagawa'),
  culture('MA TN', 'Yasmine Karim Salma Youssef Nadia', 'Benali Haddad Mansouri Zouari'),
  culture('BR', 'Larissa Caio Renata Thiago', 'Barbosa Nogueira Freitas Azevedo'),
  culture('UA', 'Oksana Taras Daria Bohdan', 'Shevchuk Koval Melnyk Bondar'),
];

export const COMPANIES: readonly string[] = [
  'Blauwald Software GmbH',
  'Lindenhof Catering GmbH',
  'Atelier des Brumes SARL',
  'Tres Olivos Logística SL',
  'Rio Verde Azulejos Lda',
  'Molenaar & Zoon BV',
  'Harbour Row Studios Ltd',
  'Nordlys Consulting OY',
  'Tigli Architetti Srl',
  'Kanal Courier Services GmbH',
];
