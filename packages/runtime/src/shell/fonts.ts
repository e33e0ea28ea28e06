const loaded = new Set<string>()

/** Loads a font of the app for the bars, once. */
export function loadFont(family: string, src: string): void {
  if (!src || loaded.has(family)) return
  loaded.add(family)
  const face = new FontFace(family, `url(${JSON.stringify(src)})`)
  document.fonts.add(face)
  face.load().catch(() => {
    // Retry when the next bar needs it.
    document.fonts.delete(face)
    loaded.delete(family)
  })
}
