import type { WindowsConfig } from '@souk/shell/config'
import { afterEach, expect, it, vi } from 'vitest'
import { memoryApp } from '../../test/memoryApp.ts'
import { visibleWindows } from '../page/sideWindows.ts'
import { windowChanges } from '../page/windowChanges.ts'
import { currentApp } from '../stack/app.ts'
import { neu } from './index.ts'

afterEach(() => void vi.unstubAllGlobals())

const windows: WindowsConfig = {
  leftWindow: { path: 'windows/left', style: { width: '350px' }, matchMedia: { minWidth: 1000 } },
}
const visible = (style = {}) => visibleWindows(windows, style, () => false, windowChanges)

it('shows and hides side windows on H5, whatever the width and the page', async () => {
  await memoryApp({ 'pages/a/a': {} })
  vi.stubGlobal('__SOUK_PLATFORM__', 'H5')
  vi.stubGlobal('__SOUK_SIDE_WINDOWS__', true)
  Object.assign(currentApp().config, { windows })
  expect([visible(), neu.getLeftWindowStyle()]).toEqual([{}, { width: '350px' }])
  await neu.showLeftWindow()
  expect(visible({ leftWindow: false })).toEqual({ leftWindow: '350px' })
  neu.setLeftWindowStyle({ width: 200, color: 'red' })
  expect(visible()).toEqual({ leftWindow: '200px' })
  expect(neu.getLeftWindowStyle()).toEqual({ width: 200, color: 'red' })
  await neu.hideLeftWindow()
  expect(visibleWindows(windows, {}, () => true, windowChanges)).toEqual({})

  neu.setTopWindowStyle({ height: 10 })
  expect(neu.getTopWindowStyle()).toEqual({})
  await expect(neu.showTopWindow()).rejects.toThrow('showTopWindow:fail the app has no topWindow')
})

it('has no side windows in a host', async () => {
  await memoryApp({ 'pages/a/a': {} })
  vi.stubGlobal('__SOUK_SIDE_WINDOWS__', false)
  await expect(neu.showLeftWindow()).rejects.toThrow('showLeftWindow:fail not supported')
  expect([neu.getLeftWindowStyle(), neu.canIUse('showLeftWindow')]).toEqual([{}, false])
})

it('changes the background of the page like setPageMeta', async () => {
  await memoryApp({ 'pages/a/a': {} })
  await neu.setBackgroundColor({ backgroundColor: '#eee', backgroundColorTop: '#fff' })
  await neu.setBackgroundTextStyle({ textStyle: 'light' })
  expect(currentApp().top!.style).toMatchObject({
    backgroundColor: '#eee',
    backgroundColorTop: '#fff',
    backgroundTextStyle: 'light',
  })
})
