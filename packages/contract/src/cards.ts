import { type Check, fields, imageAddress, json, Refused, text } from './bridgeCheck.ts'
import { cardLimits, contentSize } from './bridgeProtocol.ts'

/** Checks of cards, from a mini app, in a link, and in a conversation of a sandbox (ADR 415). */

/** The picture of a card, which is stored and passed on with it. */
const picture: Check<string> = (value, at) => {
  const address = imageAddress(value, at)
  if (/^data:/i.test(address)) {
    if (contentSize(address) > cardLimits.picture) throw new Refused(at, `at most ${cardLimits.picture} bytes long`)
  } else if (address.length > cardLimits.address) {
    throw new Refused(at, `at most ${cardLimits.address} characters long`)
  }
  return address
}

const data = json(cardLimits.extraData)

/** The content of a card. `path` is a page with its query, or empty; `extraData` is JSON or empty. */
export const cardContent = fields({
  title: text(cardLimits.title),
  path: text(cardLimits.path),
  imageUrl: picture,
  extraData: (value: unknown, at: string) => (value === '' ? '' : data(value, at)),
})

/** Returns why an address cannot be the picture of a card; undefined if it can. */
export function cardPictureProblem(imageUrl: string): string | undefined {
  return problemOf(() => picture(imageUrl, 'imageUrl'))
}

/** Returns what a card passes to its page; undefined for nothing, for text that is not JSON, and for too much of it. */
export function readCardData(extraData: unknown): string | undefined {
  return problemOf(() => data(extraData, 'extraData')) === undefined ? (extraData as string) : undefined
}

function problemOf(check: () => unknown): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof Refused) return error.message
    throw error
  }
}
