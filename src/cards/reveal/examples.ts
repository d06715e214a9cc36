/** The challenge is that of RFC 7636, appendix B, which also has its verifier. */
export const EXAMPLE_SESSION_REQUEST = {
  origin: 'https://app.example.com',
  challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  customerId: 'customer-42',
};

const ID = 'AZqF8nwecAGfPlocKz1OXwGahfJ8HnACnz5aHCs9Tl9odHRwczovL2FwcC5leGFtcGxlLmNvbQ';

export const EXAMPLE_SESSION = {
  id: ID,
  url: `https://cards.example.com/reveal/${ID}/`,
  expiresAt: '2026-11-15T08:31:00+0000',
};
