import type { Theme } from 'vitepress'
// Without the theme's font: the fonts of the system need no download.
import DefaultTheme from 'vitepress/theme-without-fonts'
import { MermaidDiagram } from './MermaidDiagram.ts'
import './diagram.css'

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('MermaidDiagram', MermaidDiagram)
  },
} satisfies Theme
