import ar from './categories/ar.ts'
import en from './categories/en.ts'
import zhCN from './categories/zh-CN.ts'

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

/** Names of the categories in the languages of Souk's web applications. */
export const categoryNames: readonly Readonly<Record<Category, string>>[] = [en, zhCN, ar]

/** Maximum number of keywords of a mini app, and their maximum length. */
export const maxKeywords = 20
export const maxKeywordLength = 32
