import { type InjectionKey, inject, onBeforeUnmount } from 'vue'

/** A named control of a form. */
export interface Field {
  name(): string | undefined
  value(): unknown
  /** Restores the initial value. */
  reset(): void
}

export interface FormContext {
  fields: Set<Field>
  submit(): void
  reset(): void
}

export const formKey: InjectionKey<FormContext> = Symbol('souk.form')

/** Registers a control with the form around it, if there is one. */
export function useField(field: Field): void {
  const form = inject(formKey, undefined)
  form?.fields.add(field)
  onBeforeUnmount(() => form?.fields.delete(field))
}
