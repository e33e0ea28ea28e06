import { defineComponent, h, toHandlers } from 'vue'
import { useHover } from './hover.ts'

/** Creates the component of `<view>` or `<cover-view>`, which is only needed for `hover-class`. */
export const defineView = (tag: 'view' | 'cover-view') =>
  defineComponent({
    props: {
      hoverClass: { type: String, default: 'none' },
      hoverStartTime: { type: [Number, String], default: 50 },
      hoverStayTime: { type: [Number, String], default: 400 },
      hoverStopPropagation: Boolean,
    },
    setup(props, { slots }) {
      const { hoverClass, hoverListeners } = useHover(props)
      return () => h(`neu-${tag}`, { class: hoverClass(), ...toHandlers(hoverListeners) }, slots.default?.())
    },
  })
