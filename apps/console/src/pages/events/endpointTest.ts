import { call } from '../../api/client.ts'
import { useAction } from '../../api/query.ts'
import { useTexts } from '../../i18n/index.ts'
import { toast } from '../../toasts.ts'
import type en from './locales/en.ts'

/** Returns an action that sends a test event to an endpoint, shows the response in a toast, and calls `reload`. */
export function useEndpointTest(reload: () => Promise<void>) {
  const t = useTexts<typeof en>('events')
  return useAction(async (endpointId: string) => {
    const { state, attempts } = await call('testEventEndpoint', { endpointId })
    const last = attempts.at(-1)
    const answer = last?.status ? `HTTP ${last.status}` : (last?.error ?? t('noResponse'))
    if (state === 'delivered') toast(t('testAcknowledged'))
    else toast(t('testFailed', { answer }), 'error')
    await reload()
  })
}
