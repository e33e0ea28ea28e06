import { expect, test } from 'vitest'
import { deviceOf } from './deviceOf.ts'

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const windows = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/142.0.0.0 Safari/537.36`
const android = `Mozilla/5.0 (Linux; Android 10; K) ${webKit} Chrome/142.0.0.0 Mobile Safari/537.36`
const iPhone = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${webKit}`

test.for([
  [windows, 'Chrome', 'Windows'],
  [`${windows} Edg/142.0.0.0`, 'Microsoft Edge', 'Windows'],
  [`${windows} OPR/124.0.0.0`, 'Opera', 'Windows'],
  [`${windows} Vivaldi/7.6`, 'Vivaldi', 'Windows'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox', 'Windows'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${webKit} Chromium/142.0.0.0 Chrome/142.0.0.0 Safari/537.36`, 'Chromium', 'Linux'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${webKit} HeadlessChrome/142.0.0.0 Safari/537.36`, 'Chrome', 'Linux'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webKit} Chrome/142.0.0.0 Safari/537.36`, 'Chrome', 'Chrome OS'],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Version/26.0 Safari/605.1.15`, 'Safari', 'macOS'],
  [`${iPhone} Version/18.6 Mobile/15E148 Safari/604.1`, 'Safari', 'iOS'],
  [`${iPhone} CriOS/142.0.0.0 Mobile/15E148 Safari/604.1`, 'Chrome', 'iOS'],
  [`${iPhone} FxiOS/145.0 Mobile/15E148 Safari/605.1.15`, 'Firefox', 'iOS'],
  [`${iPhone} Version/18.6 EdgiOS/142.0 Mobile/15E148 Safari/605.1.15`, 'Microsoft Edge', 'iOS'],
  [android, 'Chrome', 'Android'],
  [`${android} EdgA/142.0.0.0`, 'Microsoft Edge', 'Android'],
  [android.replace('Chrome/', 'SamsungBrowser/29.0 Chrome/'), 'Samsung Internet for Android', 'Android'],
  [`${android} XWEB/1300 MMWEBSDK/2024 MicroMessenger/8.0.49`, 'WeChat', 'Android'],
] as const)('%s', ([userAgent, browser, system]) => {
  expect(deviceOf(userAgent)).toEqual({ browser, system })
})

test.for(['', null, undefined, 'curl/8.5.0', 'Mozilla/5.0', '='.repeat(300)])(
  'programs and unknown browsers have no name: %s',
  (userAgent) => {
    expect(deviceOf(userAgent)).toEqual({ browser: null, system: null })
  },
)
