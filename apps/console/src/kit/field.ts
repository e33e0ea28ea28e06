import { computed, type InjectionKey, inject, onBeforeUnmount, provide, type Ref, ref, useId } from 'vue'

/** Checks the value of a field: true, or what is wrong with it. The server checks again. */
type Rule = (value: never) => true | string

/** A field as its form sees it. */
interface Field {
  /** Shows what is wrong with the value. Returns whether it is valid. */
  validate(): boolean
  reset(): void
  focus(): void
}

interface FormOfFields {
  readonly: Ref<boolean>
  add(field: Field): () => void
}

export const formKey: InjectionKey<FormOfFields> = Symbol('form')

/** Collects the fields below the calling component. */
export function useFields(readonly: () => boolean) {
  const fields = new Set<Field>()
  provide(formKey, {
    readonly: computed(readonly),
    add(field) {
      fields.add(field)
      return () => fields.delete(field)
    },
  })
  return {
    /** Checks all fields and focuses the first one that is wrong. */
    validate(): boolean {
      const wrong = [...fields].filter((field) => !field.validate())
      wrong[0]?.focus()
      return wrong.length === 0
    },
    reset(): void {
      for (const field of fields) field.reset()
    },
  }
}

/** Properties that all fields have. */
export interface FieldProps {
  label: string
  /** The label is for screen readers only, for example because a table has it. */
  labelHidden?: boolean
  /** Shown below the field. */
  hint?: string | undefined
  rules?: readonly Rule[]
  /** What the page found wrong. */
  error?: string | undefined
  readonly?: boolean | undefined
}

/**
 * What fields have in common. The value is checked when the user leaves a field that was changed, and when the form is
 * sent; a field that was wrong is checked as it changes.
 */
export function useField<T>(
  props: FieldProps,
  model: Ref<T>,
  { reset, focus }: { reset: () => void; focus: () => void },
) {
  const id = useId()
  const form = inject(formKey, undefined)
  const isChecked = ref(false)
  let isChanged = false
  const problem = computed(() => {
    for (const rule of props.rules ?? []) {
      const result = rule(model.value as never)
      if (result !== true) return result
    }
    return undefined
  })
  const error = computed(() => props.error || (isChecked.value ? problem.value : undefined))
  const remove = form?.add({
    validate() {
      isChecked.value = true
      return problem.value === undefined
    },
    reset() {
      reset()
      isChecked.value = false
      isChanged = false
    },
    focus,
  })
  if (remove) onBeforeUnmount(remove)
  return {
    id,
    error,
    isReadonly: computed(() => props.readonly === true || form?.readonly.value === true),
    /** Id of the hint or error. */
    describedBy: computed(() => (error.value || props.hint ? `${id}-details` : undefined)),
    change() {
      isChanged = true
    },
    leave() {
      if (isChanged) isChecked.value = true
    },
  }
}
