import { type InjectionKey, inject, onBeforeUnmount, provide, type Ref, ref, useId, watch } from 'vue'
import { useField } from './field.ts'

/** A checkbox or radio as its group sees it. */
interface Choice {
  value(): unknown
  isOn: Ref<boolean>
  /** As it was at first. */
  wasOn: boolean
  root(): Element | null
}

interface ChoiceGroup {
  /** Name that the native radios share, so that arrow keys go from one to the next. */
  id: string
  choices: Set<Choice>
  onChange(choice: Choice): void
  /** Whether the group's model holds this value; undefined without a model. */
  isSelected(value: unknown): boolean | undefined
}

const groupKey: InjectionKey<ChoiceGroup> = Symbol('souk.choices')

/** Makes a component the group of the choices inside it, and a field of the form around it. */
export function useChoiceGroup(options: {
  name: () => string | undefined
  isSelected: ChoiceGroup['isSelected']
  /** What the values of the chosen ones, in the order of the page, are together. */
  combine: (values: unknown[]) => unknown
  isSingle: boolean
  onChange: (value: unknown) => void
}): void {
  const choices = new Set<Choice>()
  const sorted = () =>
    [...choices].sort((one, other) => {
      const [a, b] = [one.root(), other.root()]
      return a && b && a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1
    })
  const value = () =>
    options.combine(
      sorted()
        .filter(({ isOn }) => isOn.value)
        .map((choice) => choice.value()),
    )
  provide(groupKey, {
    id: useId(),
    choices,
    isSelected: options.isSelected,
    onChange(choice) {
      if (options.isSingle) for (const other of choices) other.isOn.value = other === choice
      options.onChange(value())
    },
  })
  useField({
    name: options.name,
    value,
    reset() {
      for (const choice of choices) choice.isOn.value = choice.wasOn
    },
  })
}

/** One choice: whether it is on, the name of its native control, and what to call when the user has changed it. */
export function useChoice(options: { value: () => unknown; checked: () => boolean; root: () => Element | null }) {
  const group = inject(groupKey, undefined)
  const isOn = ref(group?.isSelected(options.value()) ?? options.checked())
  const choice: Choice = { value: options.value, isOn, wasOn: isOn.value, root: options.root }
  group?.choices.add(choice)
  onBeforeUnmount(() => group?.choices.delete(choice))
  watch(options.checked, (checked) => {
    isOn.value = checked
  })
  watch(
    () => group?.isSelected(options.value()),
    (held) => {
      if (held !== undefined) isOn.value = held
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
