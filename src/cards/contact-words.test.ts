import { expect, test } from 'vitest';
import { contactWords, parseContact } from './contact-words.ts';

const words = contactWords({
  otpPhoneNumber: { dialCode: 44, phoneNumber: '07700900123' },
  email: 'Ada@Example.com',
});

test.each([
  '+44 7700 900123',
  '+44 (0)7700 900123',
  '0044 7700 900 123',
  '07700 900123',
  '(07700) 900-123',
  '7700900123',
  '447700.900.123',
  'ada@example.COM',
])('%s finds the contact', (query) => {
  expect(words).toContain(parseContact(query)?.word);
});

test.each(['7700900124', '+49 7700900123', 'adb@example.com'])('%s does not find it', (query) => {
  expect(words).not.toContain(parseContact(query)?.word);
});

test.each(['lovelace', '0000', '12', '12,34', 'phone:447700900123', 'a b@c', '+'])(
  '%s is no contact',
  (query) => {
    expect(parseContact(query)).toBeUndefined();
  },
);

test('a missing part has no word', () => {
  expect(contactWords({ email: null })).toEqual([]);
});
