import { Check } from 'typebox/value'
import { expect, test } from 'vitest'
import { cardLimits } from './bridgeProtocol.ts'
import { cardContent, cardPictureProblem, readCardData } from './cards.ts'
import { hostOperations } from './host/index.ts'

const card = { title: 'Tea', path: '', imageUrl: '', extraData: '' }
const address = (length: number) => 'https://a.example/'.padEnd(length, 'x')
/** A picture of `size` bytes. */
const picture = (size: number) => `data:image/png;base64,${Buffer.alloc(size).toString('base64')}`
const json = (size: number) => `"${'x'.repeat(size - 2)}"`

/** The longest values, and ones that are longer by one. */
const bounds: [string, (length: number) => string, number][] = [
  ['title', (length) => 'ش'.repeat(length), cardLimits.title],
  ['path', (length) => 'x'.repeat(length), cardLimits.path],
  ['imageUrl', address, cardLimits.address],
  ['imageUrl', picture, cardLimits.picture],
  ['extraData', json, cardLimits.extraData],
]

test.each(bounds)('cards of mini apps and of conversations have the same longest %s', (field, make, limit) => {
  const accepts = (length: number) => {
    const sent = { ...card, [field]: make(length) }
    const { imageUrl, extraData } = sent
    const schema = Check(hostOperations.sendCard.parameters, { uid: 1, appid: 'demoapp00000001', ...sent })
    const inConversation =
      schema && !cardPictureProblem(imageUrl) && (!extraData || readCardData(extraData) === extraData)
    let fromMiniApp = true
    try {
      cardContent(sent, '')
    } catch {
      fromMiniApp = false
    }
    return { inConversation, fromMiniApp }
  }
  expect(accepts(limit)).toEqual({ inConversation: true, fromMiniApp: true })
  expect(accepts(limit + 1)).toEqual({ inConversation: false, fromMiniApp: false })
})

test('the data of a card is JSON, whose bytes are counted', () => {
  expect(readCardData('{"from":"شاي"}')).toBe('{"from":"شاي"}')
  const tooLong = `"${'ش'.repeat(cardLimits.extraData / 2)}"`
  for (const extraData of ['', '{', tooLong, ['1'], 1, undefined]) expect(readCardData(extraData)).toBeUndefined()
})

test('the picture of a card is an image of the web, or a small one itself', () => {
  for (const good of ['', 'HTTPS://a.example/a.png', 'data:image/png;base64,AA==']) {
    expect(cardPictureProblem(good)).toBeUndefined()
  }
  for (const wrong of ['javascript:alert(1)', 'blob:https://a.example/1', 'data:text/html,x', 'a.png']) {
    expect(cardPictureProblem(wrong)).toContain('imageUrl must be')
  }
})
