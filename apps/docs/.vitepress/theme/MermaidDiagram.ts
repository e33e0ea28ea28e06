import { useData } from 'vitepress'
import { defineComponent, h, onMounted, ref, useId, watch } from 'vue'

/** Draws a Mermaid diagram in the colors of the site. Mermaid is loaded by pages with a diagram only. */
export const MermaidDiagram = defineComponent({
  props: { source: { type: String, required: true } },
  setup(props) {
    const { isDark } = useData()
    const id = `diagram-${useId()}`
    const svg = ref<string>()

    async function draw(): Promise<void> {
      const { default: mermaid } = await import('mermaid')
      mermaid.initialize({ startOnLoad: false, theme: isDark.value ? 'dark' : 'neutral', fontFamily: 'inherit' })
      svg.value = (await mermaid.render(id, props.source)).svg
    }
    onMounted(draw)
    watch(isDark, draw)

    // Diagrams scroll sideways on phones, with the keyboard too.
    return () =>
      svg.value === undefined
        ? h('pre', { class: 'diagram', tabindex: 0 }, props.source)
        : h('div', { class: 'diagram', tabindex: 0, innerHTML: svg.value })
  },
})
