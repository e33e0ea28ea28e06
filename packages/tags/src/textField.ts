import { getCurrentInstance, nextTick, onMounted, type Ref, ref, watch } from 'vue'
import { useField } from './field.ts'
import { dispatch, rootAttrs } from './root.ts'

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
  filter: (text: string) => string
  onUpdate: (value: string) => void
}) {
  const { props, root, control, filter } = options
  const propValue = () => String(props.modelValue ?? props.value ?? '')
  const text = ref(propValue())
  const first = text.value
  /** Of the page's listener for `input`: a text, or `{ value, cursor }`, that replaces what was typed. */
  let listenerResult: unknown

  watch(propValue, (value) => {
    text.value = value
  })

  function set(value: string): void {
    text.value = value
    options.onUpdate(value)
  }

  function onInput(event: Event): void {
    if (event.type === 'input') event.stopPropagation()
    const field = control.value!
    // While an input method composes, there is no text yet; `compositionend` comes here again, in some browsers before the last input.
    if ((event as InputEvent).isComposing) return
    const accepted = filter(field.value)
    if (accepted !== field.value) {
      const behind = field.value.length - (field.selectionEnd ?? field.value.length)
      field.value = accepted
      placeCursor(accepted.length - behind)
    }
    if (accepted === text.value) return
    set(accepted)
    listenerResult = undefined
    const cursor = field.selectionEnd ?? accepted.length
    dispatch(root.value, 'input', { value: accepted, cursor, keyCode: codeOf(event as InputEvent) })
    const replacement =
      typeof listenerResult === 'object' && listenerResult
        ? (listenerResult as { value?: unknown; cursor?: number })
        : { value: listenerResult }
    if (typeof replacement.value !== 'string') return
    if (replacement.value !== accepted) {
      set(replacement.value)
      field.value = replacement.value
    }
    if (replacement.cursor !== undefined) placeCursor(replacement.cursor)
  }

  function placeCursor(start: number, end = start): void {
    // Types such as email have no selection and throw.
    if (control.value?.selectionStart !== null) control.value?.setSelectionRange(Math.max(0, start), Math.max(0, end))
  }

  function placeCursorFromProps(): void {
    const [cursor, start, end] = [props.cursor, props.selectionStart, props.selectionEnd].map((at) => Number(at ?? -1))
    if (start! >= 0 && end! >= 0) placeCursor(start!, end)
    else if (cursor! >= 0) placeCursor(cursor!)
  }

  function onFocus(): void {
    placeCursorFromProps()
    dispatch(root.value, 'focus', { value: text.value, height: 0 })
  }

  function onBlur(): void {
    dispatch(root.value, 'blur', { value: text.value, cursor: control.value?.selectionEnd ?? text.value.length })
  }

  function confirm(event: KeyboardEvent): void {
    if (event.isComposing) return
    event.preventDefault()
    dispatch(root.value, 'confirm', { value: text.value })
    if (!props.confirmHold) control.value?.blur()
  }

  watch(
    () => props.focus,
    (wanted) => (wanted ? control.value?.focus() : control.value?.blur()),
    { flush: 'post' },
  )
  watch(
    () => [props.cursor, props.selectionStart, props.selectionEnd],
    () => document.activeElement === control.value && placeCursorFromProps(),
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
    onInput,
    onFocus,
    onBlur,
    confirm,
    scopeAttrs: scopeId ? { [scopeId]: '' } : {},
    /** The attributes of the root, with listeners for `input` whose answer is heard. */
    attrs(all: Record<string, unknown>): Record<string, unknown> {
      const own = rootAttrs(all)
      const listener = own.onInput as Listener | undefined
      if (listener)
        own.onInput = (event: Event) => {
          for (const listen of Array.isArray(listener) ? listener : [listener])
            listenerResult = listen(event) ?? listenerResult
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
