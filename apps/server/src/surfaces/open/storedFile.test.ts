import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { BodyShare, Receipt } from '../bodyShare.ts'
import { StoredFile } from './storedFile.ts'

const network = '192.0.2.1'

function newRoom(total: number): { share: BodyShare; room: Receipt } {
  const share = new BodyShare({ total, perNetwork: total })
  return { share, room: new Receipt(share, network, undefined as never) }
}

test('returns what was stored, and gives back the room when it is closed', async () => {
  const { share, room } = newRoom(6)
  const file = await StoredFile.from(Readable.from([Buffer.from('abc'), Buffer.from('def')]), room)
  expect(String(await file.read())).toBe('abcdef')
  expect(share.reserve(network, 1)).toBe(false)
  await file.close()
  expect(share.reserve(network, 6)).toBe(true)
})

test('a file without room is refused, and holds none', async () => {
  const { share, room } = newRoom(5)
  const stored = StoredFile.from(Readable.from([Buffer.from('abc'), Buffer.from('def')]), room)
  await expect(stored).rejects.toMatchObject({ code: 'unavailable' })
  expect(share.reserve(network, 5)).toBe(true)
})

test('a stream that fails leaves no file open', async () => {
  const { share, room } = newRoom(5)
  const stream = Readable.from(
    (async function* () {
      yield Buffer.from('abc')
      throw new Error('cut off')
    })(),
  )
  await expect(StoredFile.from(stream, room)).rejects.toThrow('cut off')
  expect(share.reserve(network, 5)).toBe(true)
})
