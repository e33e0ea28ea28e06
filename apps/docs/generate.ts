import { type Platform, readPages } from '@souk/pages'
import { specificationLinks } from '../../packages/pages/generate.ts'
import { galleryPage } from '../../packages/pages/src/rules/gallery.ts'
import { drawingOf } from './.vitepress/theme/gallery/drawing.ts'

/** Generates the gallery, which marks the attributes that its own drawings do not show. */
export default function generate(): Record<string, string> {
  return { 'docs/generated/pages-gallery.md': galleryPage(specificationLinks(), drawingText) }
}

const drawingText = (text: string, platform: Platform) => JSON.stringify(drawingOf(readPages(text), platform))
