import { defineComponent, h, provide, ref } from 'vue'
import { listKey, listProps, useList } from './list.ts'

/** Creates the component of `<list>` or `<recycle-list>`. */
export const defineList = (tag: 'list' | 'recycle-list') =>
  defineComponent({
    props: listProps,
    setup(props, { slots, expose }) {
      const root = ref<HTMLElement>()
      const { context, onScroll, resetLoadmore } = useList({ root, props, isWaterfall: false })
      provide(listKey, context)
      expose({ resetLoadmore })
      return () =>
        h(
          `neu-${tag}`,
          {
            ref: root,
            tabindex: props.scrollable ? 0 : undefined,
            'show-scrollbar': props.showScrollbar ? undefined : 'false',
            scrollable: props.scrollable ? undefined : 'false',
            bounce: props.bounce ? undefined : 'false',
            onScrollCapture: onScroll,
          },
          slots.default?.(),
        )
    },
  })
