import { asProblem } from '@souk/web'
import { findText, useCommon } from '../i18n/index.ts'

/** Returns a short error message in the current language. */
export function problemText(error: unknown): string {
  return findText('common', `problems.${asProblem(error).code}`) ?? useCommon()('problem')
}
