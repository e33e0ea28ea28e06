import { expect, test } from 'vitest'
import { keyboardLayout } from './keyboardLayout.ts'

const phone = { keyboard: 300, screen: 800 }

test('adjustResize takes the keyboard from the page, wherever the focus is', () => {
  expect(keyboardLayout('adjustResize', { ...phone, focusBottom: 100 })).toEqual({ shorten: 300, raise: 0 })
  expect(keyboardLayout('adjustResize', { ...phone, focusBottom: 790 })).toEqual({ shorten: 300, raise: 0 })
})

test('adjustPan moves the page no further than the focus needs, and never by more than the keyboard', () => {
  expect(keyboardLayout('adjustPan', { ...phone, focusBottom: 400 })).toEqual({ shorten: 0, raise: 0 })
  expect(keyboardLayout('adjustPan', { ...phone, focusBottom: 600 })).toEqual({ shorten: 0, raise: 108 })
  expect(keyboardLayout('adjustPan', { ...phone, focusBottom: 5000 })).toEqual({ shorten: 0, raise: 300 })
})

test('without a keyboard, or without a focus, the page stays', () => {
  expect(keyboardLayout('adjustResize', { keyboard: 0, screen: 800, focusBottom: 700 })).toEqual({
    shorten: 0,
    raise: 0,
  })
  expect(keyboardLayout('adjustPan', { ...phone, focusBottom: undefined })).toEqual({ shorten: 0, raise: 0 })
})
