import type { SubNVueStyle } from '@souk/pages'
import { describe, expect, test } from 'vitest'
import { dockInsets, layoutSubWindow } from './subWindowLayout.ts'

function place(style: SubNVueStyle): Record<string, string> {
  const { background: _, ...css } = layoutSubWindow({ style }).css
  return css
}

describe('absolute and static', () => {
  const full = { left: '0px', top: '0px', width: '100%', height: '100%' }

  test.each([
    ['nothing set: all of it', {}, full],
    [
      'width, left, right: right is ignored',
      { width: '50%', left: '10px', right: '20px' },
      { ...full, left: '10px', width: '50%' },
    ],
    ['width and right', { width: '80px', right: '20px' }, { top: '0px', height: '100%', right: '20px', width: '80px' }],
    [
      'left and right give the width',
      { left: '10px', right: '20px' },
      { top: '0px', height: '100%', left: '10px', right: '20px' },
    ],
    ['right alone', { right: '20%' }, { top: '0px', height: '100%', left: '0px', right: '20%' }],
    [
      'height, top, bottom: bottom is ignored',
      { height: '50%', top: '10px', bottom: '20px' },
      { ...full, top: '10px', height: '50%' },
    ],
    [
      'height and bottom',
      { height: '80px', bottom: '20px' },
      { left: '0px', width: '100%', bottom: '20px', height: '80px' },
    ],
    [
      'top and bottom give the height',
      { top: '25px', bottom: '50px' },
      { left: '0px', width: '100%', top: '25px', bottom: '50px' },
    ],
    ['null is not set', { bottom: null, right: null }, full],
    ['a bare number is px', { left: '0', width: '120' }, { ...full, width: '120px' }],
  ])('%s', (_, style, css) => expect(place(style)).toEqual(css))

  test('centers with margin auto', () =>
    expect(place({ margin: 'auto', width: '80%', height: '300px' })).toEqual({
      left: '0px',
      right: '0px',
      top: '0px',
      bottom: '0px',
      width: '80%',
      height: '300px',
      'margin-inline': 'auto',
      'margin-block': 'auto',
    }))

  const across = { left: '0px', right: '0px', 'margin-inline': 'auto' }
  const down = { top: '0px', bottom: '0px', 'margin-block': 'auto' }
  test.each([
    [['left'], { left: '10px', ...down }],
    [['right'], { right: '10px', ...down }],
    [['top'], { top: '10px', ...across }],
    [['bottom'], { bottom: '10px', ...across }],
    [['left', 'bottom'], { left: '10px', bottom: '10px' }],
    [['right', 'top'], { right: '10px', top: '10px' }],
  ])('centers with margin auto in the direction without an offset: %s', (sides, position) => {
    const offsets = Object.fromEntries(sides.map((side) => [side, '10px']))
    expect(place({ margin: 'auto', width: '80%', height: '300px', ...offsets })).toEqual({
      ...position,
      width: '80%',
      height: '300px',
    })
  })
})

describe('docked', () => {
  const between = { top: 'var(--dock-top, 0px)', bottom: 'var(--dock-bottom, 0px)' }

  test.each([
    ['bottom, which is the default', { height: '60px' }, { bottom: '0px', left: '0px', right: '0px', height: '60px' }],
    ['top', { dock: 'top', height: '60px' }, { top: '0px', left: '0px', right: '0px', height: '60px' }],
    ['left', { dock: 'left', width: '30%', top: '5px' }, { left: '0px', ...between, width: '30%' }],
    ['right', { dock: 'right', width: '80px' }, { right: '0px', ...between, width: '80px' }],
  ] as const)('%s', (_, style, css) => expect(place({ position: 'dock', ...style })).toEqual(css))

  test('take the larger size from the page at each edge', () =>
    expect(
      dockInsets(
        [
          { position: 'dock', dock: 'top', height: '40px' },
          { position: 'dock', dock: 'top', height: '10%' },
          { position: 'dock', dock: 'left', width: '25%' },
          { position: 'absolute', dock: 'right', width: '25%' },
        ].map((style) => layoutSubWindow({ style: style as SubNVueStyle })),
      ),
    ).toEqual({ top: 'max(40px, 10%)', bottom: '0px', left: '25%', right: '0px' }))
})

test('docks type navigationBar as a bar by default', () => {
  expect(layoutSubWindow({ type: 'navigationBar' })).toMatchObject({
    position: 'dock',
    dock: 'top',
    css: { top: '0px', height: 'calc(44px + var(--status-bar-height))' },
  })
  expect(layoutSubWindow({ type: 'navigationBar', style: { height: '90px' } })).toMatchObject({
    position: 'absolute',
    css: { top: '0px', height: '90px' },
  })
})

test('applies background and zindex', () => {
  expect(layoutSubWindow({}).css).toMatchObject({ background: '#FFFFFF' })
  expect(layoutSubWindow({ style: { background: 'transparent', zindex: 3 } }).css).toMatchObject({
    background: 'transparent',
    'z-index': '3',
  })
})
