import type { WindowsConfig } from '@souk/shell/config'
import { describe, expect, test } from 'vitest'
import { visibleWindows, windowInsets } from './sideWindows.ts'

const windows: WindowsConfig = {
  topWindow: { path: 'windows/top', style: { height: '60px' }, matchMedia: { minWidth: 768 } },
  leftWindow: { path: 'windows/left', style: { width: '350px' }, matchMedia: { minWidth: 1000 } },
  rightWindow: { path: 'windows/right', style: {}, matchMedia: { minWidth: 0 } },
}
const at = (width: number) => (minWidth: number) => width >= minWidth

describe('a side window is shown', () => {
  test('from its minWidth on', () => {
    expect(visibleWindows(windows, {}, at(767))).toEqual({ rightWindow: '0px' })
    expect(visibleWindows(windows, {}, at(768))).toEqual({ topWindow: '60px', rightWindow: '0px' })
    expect(visibleWindows(windows, {}, at(1000))).toEqual({
      topWindow: '60px',
      leftWindow: '350px',
      rightWindow: '0px',
    })
  })

  test('unless the page turns it off', () =>
    expect(visibleWindows(windows, { leftWindow: false, rightWindow: false }, at(1000))).toEqual({ topWindow: '60px' }))

  test('with the width of an expression', () => {
    const width = (written: string | number) =>
      visibleWindows({ leftWindow: { ...windows.leftWindow!, style: { width: written as string } } }, {}, at(1000))
    expect(width('calc(100vw - 450px)')).toEqual({ leftWindow: 'calc(100vw - 450px)' })
    expect(width(350)).toEqual({ leftWindow: '350px' })
    expect(width('-1px')).toEqual({ leftWindow: '0px' })
    expect(width('wide')).toEqual({ leftWindow: '0px' })
  })

  test('only if pages.json has it', () => expect(visibleWindows({}, { leftWindow: true }, at(1000))).toEqual({}))
})

test('returns the space around the pages as CSS lengths', () => {
  expect(windowInsets({ topWindow: '60px', leftWindow: '350px' })).toEqual({
    '--window-left': 'calc(0px + 350px)',
    '--window-right': 'calc(0px + 0px)',
    '--top-window-height': '60px',
    '--window-margin': '0px',
  })
  expect(windowInsets({ leftWindow: '100px' }, 1190)).toMatchObject({
    '--window-left': 'calc(max(0px, (100vw - 1190px) / 2) + 100px)',
    '--window-right': 'calc(max(0px, (100vw - 1190px) / 2) + 0px)',
    '--window-margin': 'max(0px, (100vw - 1190px) / 2)',
  })
})
