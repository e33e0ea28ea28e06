import { magicAmounts, type Outcome } from '@souk/contract'
import { useCommon, useTexts } from '../../i18n/index.ts'
import type en from './locales/en.ts'

type Named = Exclude<Outcome, `failed:${number}`>

/** Returns a function that describes an outcome in the current language. */
export function useOutcomeText(): (outcome: Outcome) => string {
  const t = useTexts<typeof en>('sandbox')
  const common = useCommon()
  return (outcome) => {
    const reason = /^failed:(\d+)$/.exec(outcome)?.[1]
    return reason
      ? t('meanings.failed', { reason: common(`reasons.${reason as '1'}`) })
      : t(`meanings.${outcome as Named}`)
  }
}

/** Returns the magic amount that triggers this outcome, in cents. */
export function amountOf(outcome: Outcome): number | undefined {
  const found = Object.entries(magicAmounts).find(([, magic]) => magic.outcome === outcome)
  return found && Number(found[0])
}
