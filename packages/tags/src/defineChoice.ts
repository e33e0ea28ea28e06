import { defineComponent, h, mergeProps, ref, useId } from 'vue'
import { useChoice } from './choice.ts'
import { controlAttrs, press, rootAttrs, stopPropagation } from './root.ts'

/** Creates the component of `<checkbox>` or `<radio>`. */
export const defineChoice = (type: 'checkbox' | 'radio') =>
  defineComponent({
    inheritAttrs: false,
    props: {
      /** What the group reports while it is chosen. */
      value: { type: [String, Number], default: '' },
      /** Whether it is chosen. */
      checked: Boolean,
      /** Takes no taps. */
      disabled: Boolean,
      /** Color of a checked radio, or of the check mark of a checkbox. */
      color: String,
      /** Background while it is chosen. */
      activeBackgroundColor: String,
      /** Border while it is chosen. */
      activeBorderColor: String,
      /** Background while it is not chosen. */
      backgroundColor: String,
      /** Border while it is not chosen. */
      borderColor: String,
      /** Color of the mark. */
      iconColor: String,
      /** Color of the mark; overrides `iconColor`. */
      foreColor: String,
    },
    setup(props, { attrs, slots }) {
      const root = ref<HTMLElement>()
      const control = ref<HTMLInputElement>()
      const id = useId()
      const { isOn, groupId, change } = useChoice({
        value: () => props.value,
        checked: () => props.checked,
        root: () => root.value ?? null,
      })

      function onClick(event: Event): void {
        if (event.target === control.value) return
        // Otherwise a label around it would press it too.
        event.preventDefault()
        if (!props.disabled) press(control.value!)
      }

      const controlProps = () => ({
        ref: control,
        class: ['neu-check', type === 'radio' && 'neu-check-round'],
        type,
        name: type === 'radio' ? (groupId ?? id) : undefined,
        checked: isOn.value,
        disabled: props.disabled,
        style: {
          '--neu-check-active-background': props.activeBackgroundColor ?? (type === 'radio' ? props.color : undefined),
          '--neu-check-active-border': props.activeBorderColor,
          '--neu-check-background': props.backgroundColor,
          '--neu-check-border': props.borderColor,
          '--neu-check-icon': props.foreColor ?? props.iconColor ?? (type === 'checkbox' ? props.color : undefined),
        },
        // It would take precedence over a name that the page gives.
        'aria-labelledby': slots.default && !('aria-label' in attrs) ? id : undefined,
        ...controlAttrs(attrs),
        onInput: stopPropagation,
        onChange(event: Event) {
          event.stopPropagation()
          change(control.value!.checked)
        },
      })
      return () =>
        h(
          `neu-${type}`,
          mergeProps({ ref: root, disabled: props.disabled || undefined }, rootAttrs(attrs), { onClick }),
          [h('input', controlProps()), slots.default && h('span', { id, class: 'neu-check-text' }, slots.default())],
        )
    },
  })
