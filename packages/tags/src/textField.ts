import {
  type ExtractPropTypes,
  h,
  nextTick,
  onBeforeUnmount,
  onMounted,
  type PropType,
  type Ref,
  ref,
  type StyleValue,
  watch,
} from 'vue'
import { useField } from './field.ts'
import { controlAttrs, dispatch, rootAttrs, stopPropagation, useScopeAttrs } from './root.ts'

/** Props that `input` and `textarea` share. */
export const textFieldProps = {
  /** Name in the values of the form around it. */
  name: String,
  /** The text. */
  value: [String, Number] as PropType<string | number | null>,
  modelValue: [String, Number] as PropType<string | number | null>,
  /** Shown while there is no text. */
  placeholder: { type: String, default: '' },
  /** Style of the placeholder. */
  placeholderStyle: null as unknown as PropType<StyleValue>,
  /** Class of the placeholder. */
  placeholderClass: String,
  /** Takes no input. */
  disabled: Boolean,
  /** In UTF-16 code units; -1 for no limit. */
  maxlength: { type: [Number, String], default: 140 },
  /** Whether it has the focus. Changes move the focus. */
  focus: Boolean,
  /** Takes the focus when it appears. */
  autoFocus: Boolean,
  /** Keeps the focus after `confirm`. */
  confirmHold: Boolean,
  /** Position of the cursor when it gets the focus. */
  cursor: [Number, String],
  /** Start of the selection when it gets the focus; needs `selection-end`. */
  selectionStart: [Number, String],
  /** End of the selection when it gets the focus. */
  selectionEnd: [Number, String],
}

type TextFieldProps = ExtractPropTypes<typeof textFieldProps>
type Control = HTMLInputElement | HTMLTextAreaElement
type Listener = ((event: Event) => unknown) | ((event: Event) => unknown)[]

/** How long a text from the page may be one that it was told, in ms, and how many texts are kept. */
const lately = 1000
const mostTold = 50
/** When such a text replaces that of the field, unless the user goes on typing, in ms: as in uni-app. */
const settledAfter = 100

/** Implements `input` and `textarea`. `filter` returns what the field accepts of a text that replaces `previous`. */
export function useTextField(options: {
  props: TextFieldProps
  root: Ref<HTMLElement | undefined>
  control: Ref<Control | undefined>
  filter: (text: string, previous: string) => string
  onUpdate: (value: string) => void
}) {
  const { props, root, control, filter } = options
  const propValue = () => String(props.modelValue ?? props.value ?? '')
  const text = ref(propValue())
  const initial = text.value
  /** Returned by the page's `input` listeners: a text, or `{ value, cursor }`, that replaces the input. */
  let listenerResult: unknown

  /** Texts that the page was told lately, with the time. */
  const told = new Map<string, number>()
  let settling: ReturnType<typeof setTimeout> | undefined
  watch(propValue, (value) => {
    clearTimeout(settling)
    // A component that passes the text on late gives back an older one, while the user goes on typing.
    if (value !== text.value && performance.now() - (told.get(value) ?? Number.NEGATIVE_INFINITY) < lately)
      settling = setTimeout(() => {
        text.value = propValue()
      }, settledAfter)
    else text.value = value
  })
  onBeforeUnmount(() => clearTimeout(settling))

  function set(value: string): void {
    clearTimeout(settling)
    if (told.size > mostTold) told.clear()
    told.set(value, performance.now())
    text.value = value
    options.onUpdate(value)
  }

  function onInput(event: Event): void {
    if (event.type === 'input') event.stopPropagation()
    const field = control.value!
    // Ignore input during IME composition. `compositionend` calls this too, in some browsers before the last input.
    if ((event as InputEvent).isComposing) return
    const accepted = filter(field.value, text.value)
    if (accepted !== field.value) replaceText(field, accepted)
    if (accepted === text.value) return
    set(accepted)
    listenerResult = undefined
    const cursor = field.selectionEnd ?? accepted.length
    dispatch(root.value, 'input', { value: accepted, cursor, keyCode: codeOf(event as InputEvent) })
    const replacement = replacementOf(listenerResult)
    if (typeof replacement.value !== 'string') return
    if (replacement.value !== accepted) {
      set(replacement.value)
      field.value = replacement.value
    }
    if (replacement.cursor !== undefined) placeCursor(field, replacement.cursor)
  }

  function onFocus(): void {
    placeCursorFromProps(props, control.value!)
    dispatch(root.value, 'focus', { value: text.value, height: 0 })
  }

  function onBlur(): void {
    dispatch(root.value, 'blur', { value: text.value, cursor: control.value?.selectionEnd ?? text.value.length })
  }

  function confirm(event: KeyboardEvent): void {
    // Safari ends the composition before the key that chose its text, which has this code.
    if (event.isComposing || event.keyCode === 229) return
    event.preventDefault()
    dispatch(root.value, 'confirm', { value: text.value })
    if (!props.confirmHold) control.value?.blur()
  }

  followProps(props, control)
  useField({ name: () => props.name, value: () => text.value, reset: () => set(initial) })
  return {
    text,
    confirm,
    ...usePlaceholder(props),
    bindRoot(attrs: Record<string, unknown>): Record<string, unknown> {
      const bound = rootAttrs(attrs)
      const listener = bound.onInput as Listener | undefined
      if (listener)
        bound.onInput = (event: Event) => {
          for (const listen of Array.isArray(listener) ? listener : [listener])
            listenerResult = listen(event) ?? listenerResult
        }
      return bound
    },
    bindControl: (attrs: Record<string, unknown>): Record<string, unknown> => ({
      name: props.name,
      placeholder: props.placeholder || undefined,
      maxlength: limitOf(props.maxlength),
      disabled: props.disabled,
      value: text.value,
      ...controlAttrs(attrs),
      onInput,
      onCompositionend: onInput,
      onChange: stopPropagation,
      onFocus,
      onBlur,
    }),
  }
}

/** Reads what `input` listeners of the page returned: a text, or `{ value, cursor }`. */
function replacementOf(result: unknown): { value?: unknown; cursor?: number } {
  return typeof result === 'object' && result ? result : { value: result }
}

/** Replaces the text of a field. The cursor stays at its distance from the end. */
function replaceText(control: Control, text: string): void {
  const behind = control.value.length - (control.selectionEnd ?? control.value.length)
  control.value = text
  placeCursor(control, text.length - behind)
}

function placeCursor(control: Control, start: number, end = start): void {
  // Types such as email have no selection and throw.
  if (control.selectionStart !== null) control.setSelectionRange(Math.max(0, start), Math.max(0, end))
}

function placeCursorFromProps(props: TextFieldProps, control: Control): void {
  const [cursor, start, end] = [props.cursor, props.selectionStart, props.selectionEnd].map((at) => Number(at ?? -1))
  if (start! >= 0 && end! >= 0) placeCursor(control, start!, end)
  else if (cursor! >= 0) placeCursor(control, cursor!)
}

/** Applies changes of the props for focus and cursor. */
function followProps(props: TextFieldProps, control: Ref<Control | undefined>): void {
  watch(
    () => props.focus,
    (isFocused) => (isFocused ? control.value?.focus() : control.value?.blur()),
    { flush: 'post' },
  )
  watch(
    () => [props.cursor, props.selectionStart, props.selectionEnd],
    () => document.activeElement === control.value && placeCursorFromProps(props, control.value!),
    { flush: 'post' },
  )
  onMounted(async () => {
    if (!props.focus && !props.autoFocus) return
    await nextTick()
    // Scrolling to the field would shift a page that is still animating in.
    control.value?.focus({ preventScroll: true })
  })
}

/** Draws the placeholder as an element, as uni-app does: the browser's own is placed and styled differently. */
function usePlaceholder(props: TextFieldProps) {
  const scopeAttrs = useScopeAttrs()
  return {
    scopeAttrs,
    Placeholder: () =>
      props.placeholder
        ? h(
            'span',
            {
              class: ['neu-input-placeholder', props.placeholderClass],
              style: props.placeholderStyle,
              'aria-hidden': 'true',
              ...scopeAttrs,
            },
            props.placeholder,
          )
        : undefined,
  }
}

function codeOf({ data }: InputEvent): number {
  return data?.codePointAt(data.length - 1) ?? 0
}

/** Returns the `maxlength` attribute; -1 and anything that is not a number mean no limit. */
function limitOf(maxlength: number | string): number | undefined {
  const limit = Number(maxlength)
  return limit >= 0 ? limit : undefined
}
