import { useTexts } from '../../i18n/index.ts'
import type en from './locales/en.ts'

/** Returns a function that shows the author of a change: a name as it is, and the server by a text. */
export function useCallerName(): (name: string) => string {
  const t = useTexts<typeof en>('releases')
  return (name) => (name === 'system' ? t('system') : name)
}
