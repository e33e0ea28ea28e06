import { describe, expect, it } from 'vitest'
import { fixText } from './fix.ts'

describe('fixText', () => {
  it('fixes diagnostics that a fix reveals, and preserves comments and formatting', () => {
    const text =
      '{\n  // kept\n  "globalStyle": { "navigationBarTextStyle": "whit" }\n  "pages": [{"path": "/pages/a/a.vue"}]\n}\n'
    const { text: fixed, remaining } = fixText(text, {})
    expect(fixed).toBe(
      '{\n  // kept\n  "globalStyle": { "navigationBarTextStyle": "white" },\n  "pages": [{"path": "pages/a/a"}]\n}\n',
    )
    expect(remaining).toEqual([])
    expect(fixText(fixed, {})).toEqual({ text: fixed, fixed: 0, remaining: [] })
  })

  it('does not apply fixes that guess a page', () => {
    const text =
      '{"pages": [{"path": "pages/a/a"}], "condition": {"current": 0, "list": [{"name": "a", "path": "pages/a/b"}]}}'
    expect(fixText(text, {})).toMatchObject({ text, fixed: 0, remaining: [{ code: 'condition-page-unknown' }] })
  })

  it('does not correct a key to one that already exists', () => {
    const text =
      '{"pages": [{"path": "/pages/a/a", "style": {"navigationBarTitleText": "A", "navigationBarTitelText": "B"}}]}'
    const { text: fixed, remaining } = fixText(text, {})
    expect(fixed).toBe(text.replace('/pages', 'pages'))
    expect(remaining.map(({ code }) => code)).toEqual(['key-unknown'])
  })
})
