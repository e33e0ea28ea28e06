/** Lengths with `rpx`, or the older `upx`, outside of texts in quotes and addresses. */
const length =
  /("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|url\([^)]*\))|(?<![\w.#-])([+-]?(?:\d+\.?\d*|\.\d+))(?:rpx|upx)\b/gi

export const mayHaveRpx = (css: string): boolean => /\d[ru]px/i.test(css)

/**
 * A value of CSS whose rpx are lengths that browsers know. The page's head says what `--rpx` is; `included` many rpx always follow
 * the real width (§2.3 rpxCalcIncludeWidth).
 */
export function rpxToCss(value: string, included: number): string {
  return value.replace(length, (whole: string, skipped: string | undefined, number: string | undefined) => {
    if (skipped !== undefined || number === undefined) return whole
    const count = Number(number)
    return count === 0 ? '0px' : `calc(${count} * var(--rpx${count === included ? '-included' : ''}))`
  })
}

/** In conditions, which know no variables: of the base width that all designs share. */
export function rpxToPx(condition: string): string {
  return condition.replace(length, (whole: string, skipped: string | undefined, number: string | undefined) =>
    skipped !== undefined || number === undefined ? whole : `${Number(number) / 2}px`,
  )
}

/** What one rpx is, for the page's head. Without `max` it follows the real width, whatever that is. */
export function rpxVariables({ max, base }: { max: number | undefined; base: number }): string {
  const always = ':root{--rpx:calc(100vw / 750);--rpx-included:calc(100vw / 750)}'
  return max === undefined ? always : `${always}@media (width > ${max}px){:root{--rpx:calc(${base}px / 750)}}`
}
