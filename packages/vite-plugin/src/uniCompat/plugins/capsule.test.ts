import type { Platform } from '@souk/pages'
import { expect, test } from 'vitest'
import { MiniApp } from '../../miniApp.ts'
import { capsule } from './capsule.ts'

const name = 'getMenuButtonBoundingClientRect'

function transformed(code: string, platform: Platform = 'H5'): string {
  const { handler } = capsule(new MiniApp({ platform })).transform as {
    handler: (code: string, id: string) => { code: string } | undefined
  }
  return handler(code, '/pages/a.vue')?.code ?? code
}

test.each([
  [`if (uni.${name}) {}`, 'if (undefined) {}'],
  [`typeof wx.${name} === 'function' ? 1 : 2`, "typeof undefined === 'function' ? 1 : 2"],
  [`uni.${name} && uni.${name}().top`, `undefined && uni.${name}().top`],
  [`uni.${name}?.()`, `uni.${name}?.()`],
  [`uni.${name} = () => {}`, `uni.${name} = () => {}`],
  [`my.uni.${name}`, `my.uni.${name}`],
])('the test in %s finds no capsule on H5', (code, changed) => {
  expect(transformed(code)).toBe(changed)
  expect(transformed(code, 'App')).toBe(code)
})
