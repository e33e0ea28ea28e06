/** `N vh` outside of texts in quotes and addresses. */
const length = /("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|url\([^)]*\))|(?<![\w.#-])([+-]?(?:\d+\.?\d*|\.\d+))vh\b/gi

export const mayHaveVh = (css: string): boolean => /\dvh/i.test(css)

/** Of a page between the host's bars `100vh` is the height, as it is for one that has the screen's space between them for its own. */
export function vhToPageHeight(value: string): string {
  return value.replace(length, (whole: string, skipped: string | undefined, number: string | undefined) =>
    skipped !== undefined || number === undefined ? whole : `calc(${Number(number)} * var(--vh, 1vh))`,
  )
}

/** On H5 pages scroll between the bars, so what sticks in one has nothing to leave free for them; what is fixed has. */
export function dropBarInsets(value: string): string {
  return value.replace(/var\(\s*--window-(?:top|bottom)\s*(?:,[^()]*)?\)/g, '0px')
}
