import { defineComponent, h, toHandlers } from 'vue'
import { useHover } from './hover.ts'

/** Creates the component of `<view>` or `<cover-view>`, which is only needed for `hover-class`. */
export const defineView = (tag: 'view' | 'cover-view') =>
  defineComponent({
    props: {
      /** Class while it is touched; `none` for none. */
      hoverClass: { type: String, default: 'none' },
      /** Time until the class is set, in ms. */
      hoverStartTime: { type: [Number, String], default: 50 },
      /** Time that the class stays after the touch, in ms. */
      hoverStayTime: { type: [Number, String], default: 400 },
      /** Keeps the tags around it from getting their class. */
      hoverStopPropagation: Boolean,
    },
    setup(props, { slots }) {
      const { hoverClass, hoverListeners } = useHover(props)
      return () => h(`neu-${tag}`, { class: hoverClass(), ...toHandlers(hoverListeners) }, slots.default?.())
    },
  })
