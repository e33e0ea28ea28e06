/** Categories of mini apps on the home page of a host. */
export const categories = [
  'food',
  'shopping',
  'travel',
  'finance',
  'health',
  'education',
  'entertainment',
  'lifestyle',
  'business',
  'government',
  'tools',
] as const
export type Category = (typeof categories)[number]

/** Maximum number of keywords of a mini app, and their maximum length. */
export const maxKeywords = 20
export const maxKeywordLength = 32
