import { getCurrentInstance, nextTick, onMounted, type Ref, ref, watch } from 'vue'
import { useField } from './field.ts'
import { rootAttrs, tell } from './root.ts'

/** What `input` and `textarea` have in common. */
export interface TextField {
  name?: string | undefined
  value?: string | number | null | undefined
  modelValue?: string | number | null | undefined
  placeholder: string
  placeholderStyle?: unknown
  placeholderClass?: string | undefined
  maxlength: number | string
  focus: boolean
  autoFocus: boolean
  confirmHold: boolean
  cursor?: number | string | undefined
  selectionStart?: number | string | undefined
  selectionEnd?: number | string | undefined
}

type Control = HTMLInputElement | HTMLTextAreaElement
type Listener = ((event: Event) => unknown) | ((event: Event) => unknown)[]

export function useTextField(options: {
  props: TextField
  root: Ref<HTMLElement | undefined>
  control: Ref<Control | undefined>
  /** What may stay of what was typed. */
  keep: (text: string) => string
  updated: (value: string) => void
}) {
  const { props, root, control, keep } = options
  const given = () => String(props.modelValue ?? props.value ?? '')
  const text = ref(given())
  const first = text.value
  /** Of the page's listener for `input`: a text, or `{ value, cursor }`, that replaces what was typed. */
  let reply: unknown

  watch(given, (value) => {
    text.value = value
  })

  function set(value: string): void {
    text.value = value
    options.updated(value)
  }

  function typed(event: Event): void {
    if (event.type === 'input') event.stopPropagation()
    const field = control.value!
    // While an input method composes, there is no text yet; `compositionend` comes here again, in some browsers before the last input.
    if ((event as InputEvent).isComposing) return
    const kept = keep(field.value)
    if (kept !== field.value) {
      const behind = field.value.length - (field.selectionEnd ?? field.value.length)
      field.value = kept
      placeCursor(kept.length - behind)
    }
    if (kept === text.value) return
    set(kept)
    reply = undefined
    const cursor = field.selectionEnd ?? kept.length
    tell(root.value, 'input', { value: kept, cursor, keyCode: codeOf(event as InputEvent) })
    const answer =
      typeof reply === 'object' && reply ? (reply as { value?: unknown; cursor?: number }) : { value: reply }
    if (typeof answer.value !== 'string') return
    if (answer.value !== kept) {
      set(answer.value)
      field.value = answer.value
    }
    if (answer.cursor !== undefined) placeCursor(answer.cursor)
  }

  function placeCursor(start: number, end = start): void {
    // Types such as email have no selection and throw.
    if (control.value?.selectionStart !== null) control.value?.setSelectionRange(Math.max(0, start), Math.max(0, end))
  }

  function placeAsTold(): void {
    const [cursor, start, end] = [props.cursor, props.selectionStart, props.selectionEnd].map((at) => Number(at ?? -1))
    if (start! >= 0 && end! >= 0) placeCursor(start!, end)
    else if (cursor! >= 0) placeCursor(cursor!)
  }

  function focused(): void {
    placeAsTold()
    tell(root.value, 'focus', { value: text.value, height: 0 })
  }

  function blurred(): void {
    tell(root.value, 'blur', { value: text.value, cursor: control.value?.selectionEnd ?? text.value.length })
  }

  function confirm(event: KeyboardEvent): void {
    if (event.isComposing) return
    event.preventDefault()
    tell(root.value, 'confirm', { value: text.value })
    if (!props.confirmHold) control.value?.blur()
  }

  watch(
    () => props.focus,
    (wanted) => (wanted ? control.value?.focus() : control.value?.blur()),
    { flush: 'post' },
  )
  watch(
    () => [props.cursor, props.selectionStart, props.selectionEnd],
    () => document.activeElement === control.value && placeAsTold(),
    { flush: 'post' },
  )
  onMounted(async () => {
    if (!props.focus && !props.autoFocus) return
    await nextTick()
    // The page may still be moving in; to scroll to the field would shift it.
    control.value?.focus({ preventScroll: true })
  })

  useField({ name: () => props.name, value: () => text.value, reset: () => set(first) })

  // The placeholder stands inside, but its class is of the page's own style, which may be scoped to the page's elements.
  const scopeId = getCurrentInstance()?.vnode.scopeId
  return {
    text,
    typed,
    focused,
    blurred,
    confirm,
    scope: scopeId ? { [scopeId]: '' } : {},
    /** The attributes of the root, with listeners for `input` whose answer is heard. */
    attrs(all: Record<string, unknown>): Record<string, unknown> {
      const own = rootAttrs(all)
      const listener = own.onInput as Listener | undefined
      if (listener)
        own.onInput = (event: Event) => {
          for (const listen of Array.isArray(listener) ? listener : [listener]) reply = listen(event) ?? reply
        }
      return own
    },
  }
}

function codeOf({ data }: InputEvent): number {
  return data?.codePointAt(data.length - 1) ?? 0
}

/** As an attribute: -1 is no limit, and neither is what is no number. */
export function limitOf(maxlength: number | string): number | undefined {
  const limit = Number(maxlength)
  return limit >= 0 ? limit : undefined
}
