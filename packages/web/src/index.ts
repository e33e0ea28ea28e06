export { bestLocale, isLocale, type Locale, locales } from './locales.ts'
export { asProblem, Problem } from './problem.ts'
export { bodyOf, type OperationFacts, requestOf, send } from './request.ts'
