import type { ChangeKind } from '@souk/contract'
import { type Ref, ref } from 'vue'
import { call, type Input, type Result } from '../../api/client.ts'
import { type Action, useAction } from '../../api/query.ts'
import { useCommon } from '../../i18n/index.ts'
import { toast, toastWithUndo } from '../../toasts.ts'
import { useUnsaved } from '../../unsaved.ts'

export type AppSettings = Result<'getApp'>
export type Change = Omit<Input<'updateApp'>, 'appid'>

/**
 * Returns the form of a part of the app's settings, and an action that saves it, shows a toast with an undo button and
 * reloads the page's data. Asks before the page is left with unsaved changes.
 */
export function useSettings<Form>(
  app: () => AppSettings,
  read: (app: AppSettings) => Form,
  changed: () => void,
): { form: Ref<Form>; saving: Action<[Change], void> } {
  const common = useCommon()
  const form = ref(read(app())) as Ref<Form>
  const markSaved = useUnsaved(() => form.value)
  async function restore(before: Change): Promise<void> {
    await call('updateApp', { appid: app().appid, ...before })
    form.value = read({ ...app(), ...before } as AppSettings)
    markSaved()
    changed()
  }
  const saving = useAction(async (change: Change) => {
    const before = Object.fromEntries(Object.keys(change).map((key) => [key, app()[key as keyof Change]])) as Change
    const isInEffect = await call('updateApp', { appid: app().appid, ...change })
    markSaved()
    if (isInEffect) toastWithUndo(common('saved'), () => restore(before))
    else toast(common('sentForApproval'), 'info')
    changed()
  })
  return { form, saving }
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
