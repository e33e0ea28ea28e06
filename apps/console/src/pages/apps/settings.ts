import { call, type Input, type Result } from '../../api/client.ts'
import { type Action, useAction } from '../../api/query.ts'
import { useCommon } from '../../i18n/index.ts'
import { toast } from '../../toasts.ts'

export type AppSettings = Result<'getApp'>
export type Change = Omit<Input<'updateApp'>, 'appid'>

/** Returns an action that saves part of the app's settings, shows a toast and reloads the page's data. */
export function useSaving(app: () => AppSettings, changed: () => void): Action<[Change], void> {
  const common = useCommon()
  return useAction(async (change: Change) => {
    await call('updateApp', { appid: app().appid, ...change })
    toast(common('saved'))
    changed()
  })
}
