import type { ChangeKind } from '@souk/contract'
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
    const isInEffect = await call('updateApp', { appid: app().appid, ...change })
    if (isInEffect) toast(common('saved'))
    else toast(common('sentForApproval'), 'info')
    changed()
  })
}

/**
 * Returns the value of the pending request, if there is one. Forms start with it: saving the value in effect would
 * withdraw the request.
 */
export function requested<Kind extends ChangeKind & keyof Change>(
  app: AppSettings,
  kind: Kind,
): Change[Kind] | undefined {
  const change = app.changes.find((one) => one.kind === kind && one.state === 'pending')
  return change?.value as Change[Kind] | undefined
}

/** Returns a key that changes with the pending requests, so that a form starts again with their values. */
export function pendingKey({ changes }: AppSettings, kinds: readonly ChangeKind[]): string {
  return changes
    .filter(({ kind, state }) => kinds.includes(kind) && state === 'pending')
    .map(({ changeId }) => changeId)
    .join()
}
