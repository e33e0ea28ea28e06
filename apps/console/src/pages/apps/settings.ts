import type { ChangeKind } from '@souk/contract'
import {
  type ComputedRef,
  computed,
  type InjectionKey,
  inject,
  onScopeDispose,
  provide,
  type Ref,
  ref,
  shallowReactive,
  shallowRef,
  watch,
} from 'vue'
import { call, type Input, type Result } from '../../api/client.ts'
import { type Action, useAction } from '../../api/query.ts'
import { useCommon } from '../../i18n/index.ts'
import { toast, toastWithUndo } from '../../toasts.ts'
import { useUnsaved } from '../../unsaved.ts'

export type AppSettings = Result<'getApp'>
export type Change = Omit<Input<'updateApp'>, 'appid' | 'reason'>

/** A setting and its value as JSON, by which values are compared. */
type Entry = readonly [key: string, json: string]

/** A part of the settings, as the page that saves all of them sees it. */
interface Part {
  /** Returns the settings that differ from the saved ones. Others are not sent: someone else may have changed them. */
  changes(): Entry[]
  /** Call before changes are sent, and what it returns when they are saved: more may have been entered since. */
  send(): () => void
  /** Shows settings that were saved without this page. Fields that have been edited since keep their input. */
  restore(settings: AppSettings): void
  discard(): void
  /** Checks the fields, and focuses the first one that is wrong. */
  validate(): boolean
}

interface SettingsPage {
  parts: Set<Part>
  submit(): void
}
const pageKey: InjectionKey<SettingsPage> = Symbol('settings')
const partKey: InjectionKey<Part> = Symbol('part of the settings')

/**
 * Saves the parts of a mini app's settings together: what has changed is sent in one request, with a toast that has an
 * undo button, and `changed` reloads the page's data. Asks before the page is left with unsaved changes. `submit` is
 * called when the user sends a form. An administrator can give the reason of a change.
 */
export function useSettingsPage(
  app: () => AppSettings | undefined,
  changed: () => void,
  submit: () => void,
): {
  changes: ComputedRef<Change>
  saving: Action<[reason?: string | undefined], void>
  isValid: () => boolean
  discard: () => void
} {
  const common = useCommon()
  const parts = shallowReactive(new Set<Part>())
  provide(pageKey, { parts, submit })
  const changes = computed(
    () =>
      Object.fromEntries(
        [...parts].flatMap((part) => part.changes()).map(([key, json]) => [key, JSON.parse(json)]),
      ) as Change,
  )
  useUnsaved(() => changes.value)

  async function restore(before: Change): Promise<void> {
    const settings = app()!
    await call('updateApp', { appid: settings.appid, ...before })
    for (const part of parts) part.restore({ ...settings, ...before } as AppSettings)
  }
  const saving = useAction(async (reason?: string) => {
    const change = changes.value
    const keys = Object.keys(change) as (keyof Change)[]
    const settings = app()
    if (!settings || keys.length === 0) return
    const { appid } = settings
    const changedIn = (each: AppSettings) => Object.fromEntries(keys.map((key) => [key, each[key]])) as Change
    const before = changedIn(settings)
    const readAgain = async () => changedIn(await call('getApp', { appid }))
    const sent = [...parts].map((part) => part.send())
    const isInEffect = await call('updateApp', { appid, ...change, ...(reason && { reason }) })
    for (const markSaved of sent) markSaved()
    // A merchant keeps its name once it has one.
    const canUndo = !('merchantName' in change) || settings.merchantName !== null
    if (!isInEffect) toast(common('sentForApproval'), 'info')
    else if (canUndo) toastWithUndo(common('saved'), () => restore(before), changed, readAgain)
    else toast(common('saved'))
    changed()
  })
  return {
    changes,
    saving,
    isValid: () => [...parts].every((part) => part.changes().length === 0 || part.validate()),
    discard() {
      saving.problem.value = undefined
      for (const part of parts) part.discard()
    },
  }
}

/** Sets how the fields of this part are checked before it is saved. Returns what sends the form. */
export function useSettingsForm(validate: () => boolean): () => void {
  inject(partKey)!.validate = validate
  return inject(pageKey)!.submit
}

/** Returns the form of a part of the settings, which the page saves. `write` returns the settings of a form. */
export function useSettings<Form extends object>(
  app: () => AppSettings,
  read: (app: AppSettings) => Form,
  write: (form: Form) => Change,
): Ref<Form> {
  const { parts } = inject(pageKey)!
  const form = ref(read(app())) as Ref<Form>
  const written = () => entriesOf(write(form.value))
  const saved = shallowRef(new Map(written()))
  let savedFields = new Map(entriesOf(form.value))
  const changes = () => written().filter(([key, json]) => saved.value.get(key) !== json)
  function start(settings: AppSettings): void {
    form.value = read(settings)
    saved.value = new Map(written())
    savedFields = new Map(entriesOf(form.value))
  }
  const part: Part = {
    changes,
    send() {
      const sent = changes()
      const sentFields = new Map(entriesOf(form.value))
      return () => {
        saved.value = new Map([...saved.value, ...sent])
        savedFields = sentFields
      }
    },
    restore(settings) {
      const edited = Object.entries(form.value).filter(([key, value]) => savedFields.get(key) !== JSON.stringify(value))
      start(settings)
      Object.assign(form.value, Object.fromEntries(edited))
    },
    discard: () => start(app()),
    validate: () => true,
  }
  provide(partKey, part)
  parts.add(part)
  onScopeDispose(() => parts.delete(part))
  watch(app, (now) => {
    if (changes().length === 0) start(now)
  })
  return form
}

function entriesOf(values: object): Entry[] {
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
