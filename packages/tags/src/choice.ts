import { type InjectionKey, inject, onBeforeUnmount, provide, type Ref, ref, useId, watch } from 'vue'
import { useField } from './field.ts'
import { inDocumentOrder } from './root.ts'

/** A checkbox or radio as its group sees it. */
interface Choice {
  value(): unknown
  isOn: Ref<boolean>
  /** Initial state. */
  wasOn: boolean
  root(): Element | null
}

interface ChoiceGroup {
  /** Name of the native radios, for navigation with arrow keys. */
  id: string
  choices: Set<Choice>
  /** Unselects the others if only one can be selected. */
  onSelect(choice: Choice): void
  onChange(choice: Choice): void
  /** Returns true if the group's model contains the value; undefined without a model. */
  isSelected(value: unknown): boolean | undefined
}

const groupKey: InjectionKey<ChoiceGroup> = Symbol('souk.choices')

/** Makes a component the group of the choices inside it, and a field of the form around it. */
export function useChoiceGroup(options: {
  name: () => string | undefined
  isSelected: ChoiceGroup['isSelected']
  /** Converts the selected values, in document order, to the group's value. */
  combine: (values: unknown[]) => unknown
  isSingle: boolean
  /** Called when the user or the form changes the value. */
  onUpdate: (value: unknown) => void
  /** Called when the user changes the value. */
  onChange: (value: unknown) => void
}): void {
  const choices = new Set<Choice>()
  const value = () =>
    options.combine(
      inDocumentOrder(choices)
        .filter(({ isOn }) => isOn.value)
        .map((choice) => choice.value()),
    )
  provide(groupKey, {
    id: useId(),
    choices,
    isSelected: options.isSelected,
    onSelect(choice) {
      if (options.isSingle) for (const other of choices) other.isOn.value = other === choice
    },
    onChange(choice) {
      this.onSelect(choice)
      options.onUpdate(value())
      options.onChange(value())
    },
  })
  useField({
    name: options.name,
    value,
    reset() {
      for (const choice of choices) choice.isOn.value = choice.wasOn
      options.onUpdate(value())
    },
  })
}

/** Registers a choice with its group. Call `change` when the user has changed it. */
export function useChoice(options: { value: () => unknown; checked: () => boolean; root: () => Element | null }) {
  const group = inject(groupKey, undefined)
  const isOn = ref(group?.isSelected(options.value()) ?? options.checked())
  const choice: Choice = { value: options.value, isOn, wasOn: isOn.value, root: options.root }
  group?.choices.add(choice)
  onBeforeUnmount(() => group?.choices.delete(choice))
  watch(options.checked, (checked) => {
    isOn.value = checked
    if (checked) group?.onSelect(choice)
  })
  watch(
    () => group?.isSelected(options.value()),
    (isSelected) => {
      if (isSelected !== undefined) isOn.value = isSelected
    },
  )
  return {
    isOn,
    groupId: group?.id,
    change(now: boolean) {
      isOn.value = now
      group?.onChange(choice)
    },
  }
}
