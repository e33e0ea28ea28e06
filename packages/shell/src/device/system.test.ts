import { expect, test } from 'vitest'
import { conventionsOf, systemOf } from './system.ts'

const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'

test.each([
  ['iPhone', `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${webKit}`, 5, 'iOS', 'iOS'],
  ['iPad, mobile site', `Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) ${webKit}`, 5, 'iOS', 'iOS'],
  ['iPad', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit}`, 5, 'iOS', 'iOS'],
  ['Android', `Mozilla/5.0 (Linux; Android 14; Pixel 8) ${chrome}`, 5, 'Android', 'Android'],
  [
    'Firefox on Android',
    'Mozilla/5.0 (Android 14; Mobile; rv:128.0) Gecko/128.0 Firefox/128.0',
    5,
    'Android',
    'Android',
  ],
  ['HarmonyOS 4', `Mozilla/5.0 (Linux; Android 12; HarmonyOS; ELS-AN00) ${chrome}`, 5, 'Android', 'Android'],
  ['HarmonyOS 5', `Mozilla/5.0 (Phone; OpenHarmony 5.0) ${chrome} ArkWeb/4.1.6.1 Mobile`, 5, 'HarmonyOS', 'Android'],
  ['Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome}`, 10, 'Windows', undefined],
  ['Mac', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${chrome}`, 0, 'Mac', undefined],
  ['Linux', `Mozilla/5.0 (X11; Linux x86_64) ${chrome}`, 0, 'Linux', undefined],
  ['Chromebook', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome}`, 10, 'Linux', undefined],
  ['console', 'Mozilla/5.0 (PlayStation; PlayStation 5/6.50) AppleWebKit/605.1.15', 0, 'Other', undefined],
])('%s', (_, userAgent, maxTouchPoints, system, conventions) => {
  expect(systemOf({ userAgent, maxTouchPoints })).toBe(system)
  expect(conventionsOf({ userAgent, maxTouchPoints })).toBe(conventions)
})
