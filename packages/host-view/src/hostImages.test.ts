import { expect, test } from 'vitest'
import { mayLoad, withoutImages } from './hostImages.ts'

const folder = 'https://apps.example/shop/'
const domains = { request: [], upload: [], download: ['cdn.example'], webView: [] }
const isAllowed = (address: string) => mayLoad(address, folder, { domains, isStrict: true })

test.each([
  ['url("https://apps.example/shop/bar.png")', true],
  ['url("https://cdn.example/bar.png")', true],
  ['url("https://elsewhere.example/?data=1")', false],
  ['url("https://elsewhere.example/?data=1\u2028")', false],
  ['url("https://elsewhere.example/?data=1\n")', false],
  ['linear-gradient(#fff, #000)', true],
])('the background %j of a bar is drawn: %s', (backgroundImage, isDrawn) => {
  expect(withoutImages({ backgroundImage }, isAllowed)).toEqual({ backgroundImage: isDrawn ? backgroundImage : '' })
})
