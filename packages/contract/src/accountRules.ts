// Without schemas, since the console checks its first page with these rules and would load the schema library.

/** Password length in characters. */
export const passwordLength = { min: 10, max: 200 } as const

/** Reasons why a password is easy to guess: `data.weakness` of `password_weak`. */
export const passwordWeaknesses = {
  common: 'It is a common password.',
  similarToCommon: 'It is similar to a common password.',
  word: 'It is a single word or name.',
  words: 'It consists of a few common words or characters.',
  personal: 'It contains your name or user name.',
  repeated: 'It repeats characters or words.',
  sequence: 'It is a sequence such as abc, 123 or qwerty.',
  date: 'It contains a year or date.',
} as const
export type PasswordWeakness = keyof typeof passwordWeaknesses

/** An address that any mail server accepts. ASCII only, so that two spellings of one address cannot be two accounts. */
export const emailPattern = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@([A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,63}$/
