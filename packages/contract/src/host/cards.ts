import { Type } from 'typebox'
import { cardLimits } from '../bridgeProtocol.ts'
import { operation } from '../operation.ts'
import { Appid, DomainTime } from '../schemas.ts'
import { Uid } from './session.ts'

const host = { surface: 'host', auth: 'hostSession', sandboxOnly: true } as const

const UpTo = (maxLength: number, description: string) =>
  Type.String({ maxLength, description, 'x-allowed': `must be a string of at most ${maxLength} characters` })

/** A page of a mini app as a card, as `neu.shareMiniAppMessage` and `onShareAppMessage` make it. */
const card = {
  appid: Appid,
  title: Type.String({
    minLength: 1,
    maxLength: cardLimits.title,
    description: 'Title.',
    'x-allowed': `must be a string of 1 to ${cardLimits.title} characters`,
  }),
  path: UpTo(cardLimits.path, 'Page with its query; empty for the launch page.'),
  imageUrl: Type.String({
    // In base64, after the type of the picture.
    maxLength: Math.ceil(cardLimits.picture / 3) * 4 + 64,
    description: 'URL of the picture, or a small picture itself; empty for none.',
    'x-allowed':
      `must be empty, an http or https URL of at most ${cardLimits.address} characters, or a data: image of at most ` +
      `${cardLimits.picture} bytes`,
  }),
  extraData: UpTo(cardLimits.extraData, 'JSON that the card passes to the page; empty for none.'),
}

/** A card in the conversation of two mock users. */
const ReceivedCard = Type.Object({
  cardId: Type.String(),
  sent: Type.Boolean({ description: 'Whether the user has sent it; otherwise the other one has.' }),
  ...card,
  appid: Type.String(),
  appName: Type.String(),
  ctime: DomainTime(),
})

/** Conversations of the mock users of a sandbox, in which cards arrive (ADR 415). */
export const cardHostOperations = {
  sendCard: operation({
    ...host,
    id: 'sendCard',
    method: 'POST',
    path: '/host/v1/sandbox/cards',
    summary: 'Send a card to another mock user; the newest cards of two users are kept',
    body: ['json'],
    repairsText: true,
    maxBody: cardLimits.picture * 3,
    // Empty ones count as absent.
    parameters: Type.Object({
      uid: Uid,
      ...card,
      path: Type.Optional(card.path),
      imageUrl: Type.Optional(card.imageUrl),
      extraData: Type.Optional(card.extraData),
    }),
    example: { title: 'Two date cakes', path: 'pages/item/item?id=7', imageUrl: '', extraData: '{"from":1}' },
    result: Type.Object({ cardId: Type.String() }),
    errors: ['session_invalid', 'app_not_found', 'user_not_found'],
    redact: [],
  }),
  listCards: operation({
    ...host,
    id: 'listCards',
    method: 'GET',
    path: '/host/v1/sandbox/cards',
    summary: 'List the cards of a conversation with another mock user, newest first',
    parameters: Type.Object({ uid: Uid }),
    result: Type.Array(ReceivedCard),
    errors: ['session_invalid'],
    redact: [],
  }),
}
