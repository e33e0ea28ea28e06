import { describe, expect, it } from 'vitest'
import type { Platform } from '../diagnostic.ts'
import { sourceFor } from './source.ts'

const words = (text: string, platform: Platform = 'H5') => sourceFor(text, platform).text.trim().split(/\s+/).join(' ')

describe('conditional comments in sources', () => {
  it('includes the blocks of a platform in a single-file component, in any comment syntax', () => {
    const text = `<template>
  <!-- #ifdef H5 --><view>it's h5</view><!-- #endif -->
  <!-- #ifndef H5 --><view>not h5</view><!-- #endif -->
</template>
<script>
// #ifdef H5
const place = 'h5'
// #else
const place = 'elsewhere'
// #endif
</script>
<style lang="scss">
/* #ifdef APP || MP-NEU */ .framed { color: red } /* #endif */
</style>`
    expect(words(text)).toBe(
      "<template> <view>it's h5</view> </template> <script> const place = 'h5' </script> <style lang=\"scss\"> </style>",
    )
    expect(words(text, 'App')).toBe(
      `<template> <view>not h5</view> </template> <script> const place = 'elsewhere' </script> <style lang="scss"> .framed { color: red } </style>`,
    )
  })

  it('preserves offsets and line breaks', () => {
    const text = 'a // #ifdef APP\r\nb 中\r\n// #endif\r\nc'
    const { text: seen } = sourceFor(text, 'H5')
    expect(seen).toHaveLength(text.length)
    expect(seen.indexOf('c')).toBe(text.indexOf('c'))
    expect(seen.match(/\r\n/g)).toHaveLength(3)
  })

  it('supports nested blocks', () => {
    const text = '1 /* #ifdef H5 */ 2 /* #ifdef APP */ 3 /* #else */ 4 /* #endif */ 5 /* #endif */ 6'
    expect(words(text)).toBe('1 2 4 5 6')
    expect(words(text, 'App')).toBe('1 6')
  })

  it.each([
    `const sample = '// #ifdef APP', x = 1`,
    'const sample = `<!-- #ifdef APP -->`',
    'a { color: red } /* see #ifdef APP */',
    '#if { color: red }',
  ])('does not change %j', (text) => expect(sourceFor(text, 'H5')).toEqual({ text, findings: [] }))

  it('does not treat an apostrophe before a comment as a quote', () => {
    expect(words("<view>don't</view> <!-- #ifdef APP --> <view>app</view> <!-- #endif -->")).toBe("<view>don't</view>")
  })

  it.each([
    ['// #ifdef H5\na', 'conditional-unbalanced'],
    ['a\n// #endif', 'conditional-unbalanced'],
    ['// #ifdef H5 ||\na\n// #endif', 'conditional-expression'],
    ['// #ifdef APP-PLSU\nb\n// #endif\na', 'conditional-name'],
  ])('reports %j and continues', (text, code) => {
    const { text: seen, findings } = sourceFor(text, 'H5')
    expect(findings.map((each) => each.code)).toEqual([code])
    expect(seen).toContain('a')
  })
})
