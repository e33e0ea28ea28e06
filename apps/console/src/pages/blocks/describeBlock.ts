import type { Result } from '../../api/client.ts'
import type { useTexts } from '../../i18n/index.ts'
import type en from './locales/en.ts'

export type Block = Result<'liftBlock'>

/** Returns what is blocked as a phrase, such as `version 1.4.0 is withdrawn`. */
export function describeBlock(t: ReturnType<typeof useTexts<typeof en>>, { state, name }: Block): string {
  return t(`states.${state}`, { name })
}
