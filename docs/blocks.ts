const code = /^```[\s\S]*?^```$/gm

/** Returns a page without its blocks of code. */
export const withoutCode = (text: string): string => text.replace(code, '')

/** Splits a page into headings, paragraphs, items and rows, each in one line, without code and pictures. */
export function blocksOf(text: string): string[] {
  const prose = text.replace(code, '\n').replace(/^<picture>[\s\S]*?<\/picture>$|<!--.*?-->/gm, '\n')
  return prose
    .replace(/\n(?!\n|#|\||\s*- |\d+\. )[^\S\n]*/g, ' ')
    .split('\n')
    .map((block) => block.trim())
    .filter((block) => block !== '')
}

/** Returns what a block is, by its first character: `#`, `|`, `-`, a digit, or none for a paragraph. */
export const kindOf = (block: string): string => /^(?:#+|\||-(?= )|\d(?=\d*\. ))/.exec(block)?.[0] ?? ''
