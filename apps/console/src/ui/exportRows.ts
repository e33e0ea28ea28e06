import type { Pages } from '../api/pages.ts'
import { useAction } from '../api/query.ts'
import { useCommon } from '../i18n/index.ts'
import { shownTimeZone } from '../i18n/timeZone.ts'
import { toast } from '../toasts.ts'
import { downloadCsv } from './csv.ts'

/** Number of rows that the browser exports. */
const maxRows = 10_000

/** Exports the first rows of a list under its filters as a file, and says how many they are. */
export function useExport() {
  const t = useCommon()
  return useAction(
    async <T extends object>(as: 'csv' | 'xlsx', pages: Pages<T>, name: string, options?: { inCents: boolean }) => {
      const { rows, hasMore } = await pages.loadRows(maxRows)
      if (as === 'csv') downloadCsv(`${name}.csv`, rows)
      else await (await import('./xlsx.ts')).downloadXlsx(`${name}.xlsx`, rows, shownTimeZone(), options)
      const count = rows.length
      if (hasMore) toast(t('list.exportedFirst', { count }), 'warning')
      else toast(t('list.exported', { count }))
    },
  )
}
