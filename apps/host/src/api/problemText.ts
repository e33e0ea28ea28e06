import { asProblem } from '@souk/web'
import { i18n } from '../i18n/index.ts'

/** Returns a short error message in the current language. */
export function problemText(error: unknown): string {
  const { t, te } = i18n.global
  const key = `common.problems.${asProblem(error).code}`
  return te(key) || te(key, 'en') ? t(key) : t('common.problem')
}
