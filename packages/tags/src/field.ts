import { type InjectionKey, inject, onBeforeUnmount } from 'vue'

/** A named control of a form. */
export interface Field {
  name(): string | undefined
  value(): unknown
  /** Back to what it was at first. */
  reset(): void
}

export interface FormContext {
  fields: Set<Field>
  submit(): void
  reset(): void
}

export const formKey: InjectionKey<FormContext> = Symbol('souk.form')

/** Makes a control known to the form around it, if there is one. */
export function useField(field: Field): void {
  const form = inject(formKey, undefined)
  form?.fields.add(field)
  onBeforeUnmount(() => form?.fields.delete(field))
}
