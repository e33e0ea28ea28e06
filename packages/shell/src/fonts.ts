import { type InjectionKey, inject } from 'vue'

/** The fonts that an app uses in its bars. */
export interface Fonts {
  /** Loads a font once and returns its family, empty without an address. Apps cannot choose the family. */
  load(src: string): string
  /** Removes all fonts from the document. */
  close(): void
}

/** Provided by a host, whose document draws the bars of several apps. */
export const fontsKey: InjectionKey<Fonts> = Symbol('souk.fonts')

/** Number of fonts named in this document, so that each gets its own family. */
let named = 0

export function createFonts(): Fonts {
  const faces = new Map<string, FontFace>()

  function load(src: string): string {
    if (!src) return ''
    const loaded = faces.get(src)
    if (loaded) return loaded.family
    const face = new FontFace(`souk-font-${++named}`, `url(${JSON.stringify(src)})`)
    faces.set(src, face)
    document.fonts.add(face)
    face.load().catch(() => {
      // Retry when the next bar needs it.
      document.fonts.delete(face)
      faces.delete(src)
    })
    return face.family
  }

  return {
    load,
    close() {
      for (const face of faces.values()) document.fonts.delete(face)
      faces.clear()
    },
  }
}

/** The fonts of a document with one app. */
const documentFonts = createFonts()

export const useFonts = (): Fonts => inject(fontsKey, documentFonts)
