import { expect, test } from 'vitest'
import { keyboardLayout } from './keyboardLayout.ts'

const phone = { keyboard: 300, screen: 800 }

test('adjustResize shortens the page by the keyboard, wherever the focus is', () => {
  expect(keyboardLayout('adjustResize', { ...phone, focusBottom: 100 })).toEqual({ shorten: 300, raise: 0 })
  expect(keyboardLayout('adjustResize', { ...phone, focusBottom: 790 })).toEqual({ shorten: 300, raise: 0 })
})

test('adjustPan moves the page only as far as the focus needs, and at most by the keyboard', () => {
  expect(keyboardLayout('adjustPan', { ...phone, focusBottom: 400 })).toEqual({ shorten: 0, raise: 0 })
  expect(keyboardLayout('adjustPan', { ...phone, focusBottom: 600 })).toEqual({ shorten: 0, raise: 108 })
  expect(keyboardLayout('adjustPan', { ...phone, focusBottom: 5000 })).toEqual({ shorten: 0, raise: 300 })
})

test('leaves the page in place without keyboard or focus', () => {
  expect(keyboardLayout('adjustResize', { keyboard: 0, screen: 800, focusBottom: 700 })).toEqual({
    shorten: 0,
    raise: 0,
  })
  expect(keyboardLayout('adjustPan', { ...phone, focusBottom: undefined })).toEqual({ shorten: 0, raise: 0 })
})
