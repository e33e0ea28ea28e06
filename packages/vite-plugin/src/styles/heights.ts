/** Matches vh lengths outside of strings and URLs. */
const length = /("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|url\([^()]*\))|(?<![\w.#-])([+-]?(?:\d+(?:\.\d*)?|\.\d+))vh\b/gi

export const mayHaveVh = (css: string): boolean => /\dvh/i.test(css)

/** Makes `100vh` the height of the page between the host's bars. */
export function vhToPageHeight(value: string): string {
  return value.replace(length, (whole: string, skipped: string | undefined, number: string | undefined) =>
    skipped !== undefined || number === undefined ? whole : `calc(${Number(number)} * var(--vh, 1vh))`,
  )
}

/** Removes bar insets from sticky elements: H5 pages scroll between the bars, so only fixed elements need them. */
export function dropBarInsets(value: string): string {
  return value.replace(/var\(\s*--window-(?:top|bottom)\s*(?:,[^()]*)?\)/g, '0px')
}
