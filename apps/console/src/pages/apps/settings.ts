import type { ChangeKind } from '@souk/contract'
import { type Ref, ref, watch } from 'vue'
import { call, type Input, type Result } from '../../api/client.ts'
import { type Action, useAction } from '../../api/query.ts'
import { useCommon } from '../../i18n/index.ts'
import { toast, toastWithUndo } from '../../toasts.ts'
import { useUnsaved } from '../../unsaved.ts'

export type AppSettings = Result<'getApp'>
export type Change = Omit<Input<'updateApp'>, 'appid' | 'reason'>

/**
 * Returns the form of a part of the app's settings, and an action that saves it, shows a toast with an undo button and
 * reloads the page's data. An administrator can give the reason of a change. Asks before the page is left with unsaved
 * changes. `write` returns the settings of a form.
 */
export function useSettings<Form extends object>(
  app: () => AppSettings,
  read: (app: AppSettings) => Form,
  write: (form: Form) => Change,
  changed: () => void,
): { form: Ref<Form>; saving: Action<[reason?: string | undefined], void> } {
  const common = useCommon()
  const form = ref(read(app())) as Ref<Form>
  const written = () => entriesOf(write(form.value))
  let saved = new Map(written())
  let savedFields = new Map(entriesOf(form.value))
  /** Settings that differ from the saved ones. The others are not sent: someone else may have changed them. */
  const changes = () => written().filter(([key, value]) => saved.get(key) !== value)
  const isUnsaved = () => changes().length > 0
  useUnsaved(changes)
  function start(settings: AppSettings): void {
    form.value = read(settings)
    saved = new Map(written())
    savedFields = new Map(entriesOf(form.value))
  }
  watch(app, (now) => {
    if (!isUnsaved()) start(now)
  })
  async function restore(before: Change): Promise<void> {
    await call('updateApp', { appid: app().appid, ...before })
    // Fields that have been edited since then keep their input.
    const edited = Object.entries(form.value).filter(([key, value]) => savedFields.get(key) !== JSON.stringify(value))
    start({ ...app(), ...before } as AppSettings)
    Object.assign(form.value, Object.fromEntries(edited))
  }
  const saving = useAction(async (reason?: string) => {
    const sent = changes()
    if (sent.length === 0) return toast(common('saved'))
    const change = Object.fromEntries(sent.map(([key, value]) => [key, JSON.parse(value)])) as Change
    const changedIn = (settings: AppSettings) =>
      Object.fromEntries(sent.map(([key]) => [key, settings[key as keyof Change]])) as Change
    const before = changedIn(app())
    const readAgain = async () => changedIn(await call('getApp', { appid: app().appid }))
    const sentFields = new Map(entriesOf(form.value))
    const isInEffect = await call('updateApp', { appid: app().appid, ...change, ...(reason && { reason }) })
    saved = new Map([...saved, ...sent])
    savedFields = sentFields
    if (isInEffect) toastWithUndo(common('saved'), () => restore(before), changed, readAgain)
    else toast(common('sentForApproval'), 'info')
    changed()
  })
  return { form, saving }
}

/** Returns the values of an object as JSON, by which they are compared. */
function entriesOf(values: object): (readonly [key: string, json: string])[] {
  return Object.entries(values).map(([key, value]) => [key, JSON.stringify(value)])
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
