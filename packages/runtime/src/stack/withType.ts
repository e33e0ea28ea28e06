import type { VNode } from 'vue'

/**
 * Sets `$mpType` of the component that the vnode creates, which third-party mixins use to recognize pages and the app.
 * They read it in beforeCreate, before which Vue calls `ce` only; a mixin would run for every component.
 */
export function withType(vnode: VNode, $mpType: 'app' | 'page'): VNode {
  return Object.assign(vnode, { ce: ({ ctx }: { ctx: object }) => Object.assign(ctx, { $mpType }) })
}
