import type { Result } from '../../api/client.ts'
import { findText, useTexts } from '../../i18n/index.ts'
import type en from './locales/en.ts'

export type AuditEntry = Result<'listAudit'>['items'][number]

/**
 * Returns a function that says who did what; an action without a text, such as one of a newer server, is named by its
 * code.
 */
export function useSentence(): (entry: AuditEntry) => string {
  const t = useTexts<typeof en>('audit')
  const nameOf = ({ actor, actorName }: AuditEntry) => {
    const titles = { admin: t('adminToken'), system: t('system'), anyone: t('anyone') }
    return actorName ?? titles[actor as 'admin'] ?? actor
  }
  return (entry) =>
    t('sentence', { who: nameOf(entry), what: findText('audit', `actions.${entry.action}`) ?? entry.action })
}
