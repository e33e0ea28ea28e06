import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { check } from '../check/check.ts'
import { readPages } from '../config.ts'
import { explain } from '../explain.ts'
import { asObject, type JsonObject } from '../parse/nodes.ts'
import { placementDefaults } from './computedDefaults.ts'
import { resolve } from './resolve.ts'
import { placeSubWindow } from './subWindow.ts'
import { writtenSubWindows } from './written.ts'

const length = fc.oneof(
  fc.integer({ min: 1, max: 99 }).map((n) => `${n}px`),
  fc.integer({ min: 0, max: 99 }).map((n) => `${n}%`),
)
const optional = { requiredKeys: [] }
const window = fc.record(
  {
    type: fc.constantFrom('popup', 'navigationBar'),
    style: fc.record(
      {
        position: fc.constantFrom('static', 'absolute', 'dock'),
        dock: fc.constantFrom('top', 'bottom', 'left', 'right'),
        left: length,
        right: fc.oneof(length, fc.constant(null)),
        top: length,
        bottom: fc.oneof(length, fc.constant(null)),
        width: length,
        height: length,
        margin: fc.constantFrom('auto', ' auto', '0'),
      },
      optional,
    ),
  },
  optional,
)
const fileOf = (subNVues: unknown, global: unknown = undefined) =>
  readPages(
    JSON.stringify({
      globalStyle: { 'app-plus': { subNVues: global } },
      pages: [{ path: 'pages/a/a', style: { 'app-plus': { subNVues } } }],
    }),
  )
const lengths = ['left', 'right', 'top', 'bottom', 'width', 'height'] as const

describe('a sub-window', () => {
  it('is placed by its resolved style as by its original one, for any attributes', () => {
    fc.assert(
      fc.property(window, (own) => {
        const config = fileOf([{ id: 'w', ...own }])
        const page = resolve(config, { platform: 'App' }).pages[0]!
        const [resolved] = asObject(page.style['app-plus'])!.subNVues as JsonObject[]
        const written = placeSubWindow(own.type, own.style ?? {}, placementDefaults)
        expect(placeSubWindow(own.type, asObject(resolved!.style) ?? {}, placementDefaults)).toEqual(written)
        expect(writtenSubWindows(page)).toEqual([{ id: 'w', ...own }])
        for (const [key, value] of Object.entries(asObject(resolved!.style) ?? {})) {
          const path = `app-plus.subNVues[0].style.${key}`
          expect(explain(config, 'pages/a/a', path, { platform: 'App' })).toMatchObject({ value })
        }
      }),
    )
  })

  it('has a finding for exactly the lengths that do not place it', () => {
    fc.assert(
      fc.property(window, (own) => {
        const placement = placeSubWindow(own.type, own.style ?? {}, placementDefaults)
        const without = lengths.filter((key) => (own.style?.[key] ?? null) !== null && placement[key] === undefined)
        const found = check(fileOf([{ id: 'w', path: 'pages/a/w', ...own }])).flatMap(
          ({ code, message }) => (code === 'key-no-effect' && /^"(\w+)"/.exec(message)?.[1]) || [],
        )
        expect(found.filter((key) => lengths.some((each) => each === key)).toSorted()).toEqual(without.toSorted())
      }),
    )
  })

  it('is centered by margin: auto in the directions without an offset, or has a finding if there is none', () => {
    fc.assert(
      fc.property(window, (own) => {
        const { margin, position } = own.style ?? {}
        const isSet = (side: 'left' | 'right' | 'top' | 'bottom') => (own.style?.[side] ?? null) !== null
        const { isCentered } = placeSubWindow(own.type, own.style ?? {}, placementDefaults)
        const isAuto = margin?.trim() === 'auto'
        const found = check(fileOf([{ id: 'w', path: 'pages/a/w', ...own }])).map(({ message }) => message)
        const isReported = found.some((message) => message.startsWith('"margin" has no effect'))
        const isDocked =
          position === 'dock' || (position === undefined && own.type === 'navigationBar' && !own.style?.height)
        const free = { horizontally: !isSet('left') && !isSet('right'), vertically: !isSet('top') && !isSet('bottom') }
        if (isDocked || !isAuto) expect(isCentered).toEqual({ horizontally: false, vertically: false })
        else expect(isCentered).toEqual(free)
        if (isAuto) expect(isReported).toBe(!isCentered.horizontally && !isCentered.vertically)
      }),
    )
  })

  it('is inherited from globalStyle, and values of a wrong type do not count', () => {
    const page = resolve(fileOf(undefined, { id: 'w', style: { zindex: '9', width: '9px' } }), { platform: 'App' })
      .pages[0]!
    expect(writtenSubWindows(page)).toEqual([{ id: 'w', style: { width: '9px' } }])
  })
})
