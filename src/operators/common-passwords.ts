/**
 * The most common passwords in lower case: entries of public lists that are long enough and have letters and digits,
 * and words that people lengthen with digits to satisfy a rule.
 */
const KEYBOARD_WALKS = `
  123qweasdzxc 123456qwerty qwerty123456 qazwsxedc123 zxcasdqwe123 qweasdzxc123 123456789qwe 123456789qwer
  123456789qwerty 123456789abc 123456789qaz 123456789zxc 123456789asd 123456789aaa 123456789qqq 1234567890qw
  1234567890qwe 1234567890qaz 1234567890qwerty 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazxsw23edc 1qazxsw23edcvfr4
  zaq1xsw2cde3 zaq12wsxcde3 !qaz2wsx3edc 1qa2ws3ed4rf 1qa2ws3ed4rf5tg q1w2e3r4t5y6 q1w2e3r4t5y6u7 q1w2e3r4t5y6u7i8
  q1w2e3r4t5y6u7i8o9p0 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i 1q2w3e4r5t6y7u8i9o0p a1s2d3f4g5h6 1a2s3d4f5g6h
  z1x2c3v4b5n6 z1x2c3v4b5n6m7 1a2a3a4a5a6a 12qw34er56ty 123qwe123qwe qwe123qwe123 123qwe456rty 123123qweqwe
  123321qweewq 123ewqasdcxz qaz123wsx456 asd123asd123 abc123456789 abc123abc123 abcd12345678 a1b2c3d4e5f6
  1234qwerasdf 1234qwerasdfzxcv 1234567qwertyu 123qwerty123 lost4815162342 4815162342lost jamesbond007 warhammer40k`;

const WORDS = `
  abcdef abcdefg abcdefgh access admin administrator america apple april arsenal asdf asdfasdf asdfgh asdfghjkl august autumn
  azerty bailey barcelona baseball basketball batman battery blink butterfly card cards changeit changeme charlie cheese
  chelsea chocolate christopher computer console cookie correct corvette cowboys danielle december default demo diamond
  dolphin dragon emboss emboss.admin eminem fall falcon february ferrari flower football forever freedom fuckyou ginger
  guest hello helloworld hockey hunter iloveyou internet issuer issuing january jennifer jessica jordan july june killer
  letmein letmeinnow lakers liverpool london login love maggie manager march master matrix matthew maverick mercedes
  michael michelle minecraft monday monkey monster mustang mypassword mysecret naruto newpassword nicole november october
  operator p@$$w0rd p@ssw0rd p@ssword pa$$word pa55w0rd pa55word pass passw0rd passphrase password passwort patrick payment
  payments pepper phoenix playstation pokemon porsche princess purple qazwsx qazwsxedc qazxsw qwer qwert qwerty qwertyui
  qwertyuiop qweasd qweasdzxc rainbow ranger root samantha samsung secret secure security september shadow slipknot snoopy
  soccer spring starwars steelers summer sunshine superadmin superman support system temp temporary test tester testing
  testtest thomas thunder tigger trustno uiop user victoria viewer welcome welcomeback whatever william winter yankees
  zxcasdqwe zxcv zxcvbn zxcvbnm`;

const COMMON = new Set(`${KEYBOARD_WALKS} ${WORDS}`.split(/\s+/));
const AROUND = /^[^\p{L}]+|[^\p{L}]+$/gu;

/** Whether a password is in the list, ignoring case and any digits and signs before and after it. */
export function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase();
  return COMMON.has(text) || COMMON.has(text.replaceAll(AROUND, ''));
}
