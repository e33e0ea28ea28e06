import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Generates the icon font of the projects `tabs` and `bars` from polygons. Run `node playground/tabs/font.ts` to write
 * static/icons.ttf in both.
 */

/** Units per em: the size of the square around a glyph. */
const em = 1000

type Point = readonly [x: number, y: number]

const turned = (count: number, radius: (index: number) => number): Point[] =>
  Array.from({ length: count }, (_, index) => {
    const angle = Math.PI / 2 - (index * 2 * Math.PI) / count
    return [Math.round(500 + radius(index) * Math.cos(angle)), Math.round(500 + radius(index) * Math.sin(angle))]
  })
const star = turned(10, (index) => (index % 2 === 0 ? 480 : 200))
const smallStar = turned(10, (index) => (index % 2 === 0 ? 340 : 140))
/** Reverses an inner contour, which makes it a hole. */
const hollow = (points: Point[]) => [...points].reverse()

const glyphs: { code: number; contours: Point[][] }[] = [
  // An outlined star, a star, a plus, an octagonal ring.
  { code: 0xe001, contours: [star, hollow(smallStar)] },
  { code: 0xe002, contours: [star] },
  {
    code: 0xe003,
    contours: [
      [
        [420, 950],
        [580, 950],
        [580, 580],
        [950, 580],
        [950, 420],
        [580, 420],
        [580, 50],
        [420, 50],
        [420, 420],
        [50, 420],
        [50, 580],
        [420, 580],
      ],
    ],
  },
  { code: 0xe004, contours: [turned(8, () => 480), hollow(turned(8, () => 300))] },
]

const u8 = (...values: number[]) => Buffer.from(values)
const u16 = (...values: number[]) => Buffer.concat(values.map((value) => u8((value >> 8) & 255, value & 255)))
const u32 = (...values: number[]) => Buffer.concat(values.map((value) => u16((value >>> 16) & 0xffff, value & 0xffff)))
const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])

function outline(contours: Point[][]): Buffer {
  const points = contours.flat()
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  let count = 0
  const ends = contours.map((contour) => {
    count += contour.length
    return count - 1
  })
  const steps = (values: number[]) => u16(...values.map((value, index) => value - (values[index - 1] ?? 0)))
  return padded(
    Buffer.concat([
      u16(contours.length, Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)),
      u16(...ends, 0),
      // All points are on the curve; coordinates are two-byte deltas.
      u8(...points.map(() => 1)),
      steps(xs),
      steps(ys),
    ]),
  )
}

// The first glyph is shown for missing characters.
const outlines = [Buffer.alloc(0), ...glyphs.map(({ contours }) => outline(contours))]
const offsets = [0]
for (const { length } of outlines) offsets.push(offsets.at(-1)! + length)
const first = glyphs[0]!.code
const last = glyphs.at(-1)!.code

const characterMap = u16(4, 32, 0, 4, 4, 1, 0, last, 0xffff, 0, first, 0xffff, (1 - first) & 0xffff, 1, 0, 0)
const names = ['Souk Playground Icons', 'Regular', 'souk-playground-icons', 'Souk Playground Icons', '1.0', 'SoukIcons']
const nameIds = [1, 2, 3, 4, 5, 6]
const nameTexts = names.map((name) => Buffer.from(name, 'utf16le').swap16())
let at = 0
const nameRecords = nameTexts.map((text, index) => {
  at += text.length
  return u16(3, 1, 0x409, nameIds[index]!, text.length, at - text.length)
})

const tables: Record<string, Buffer> = {
  'OS/2': Buffer.concat([
    u16(4, em, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 300, 0),
    Buffer.alloc(10),
    u32(0, 0, 0, 0),
    Buffer.from('SOUK'),
    u16(0x40, first, last, em, 0, 0, em, 0),
    u32(1, 0),
    u16(500, 700, 0, 32, 1),
  ]),
  cmap: Buffer.concat([u16(0, 1, 3, 1), u32(12), characterMap]),
  glyf: Buffer.concat(outlines),
  head: Buffer.concat([
    u32(0x10000, 0x10000, 0, 0x5f0f3cf5),
    u16(3, em),
    u32(0, 0, 0, 0),
    u16(0, 0, em, em, 0, 8, 2, 1, 0),
  ]),
  hhea: Buffer.concat([u32(0x10000), u16(em, 0, 0, em, 0, 0, em, 1, 0, 0, 0, 0, 0, 0, 0, outlines.length)]),
  hmtx: u16(...outlines.flatMap(() => [em, 0])),
  loca: u32(...offsets),
  maxp: Buffer.concat([u32(0x10000), u16(outlines.length, 24, 2, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0)]),
  name: Buffer.concat([u16(0, names.length, 6 + names.length * 12), ...nameRecords, ...nameTexts]),
  post: u32(0x30000, 0, 0, 0, 0, 0, 0, 0),
}

const sum = (bytes: Buffer) => {
  let total = 0
  for (let index = 0; index < bytes.length; index += 4) total = (total + bytes.readUInt32BE(index)) >>> 0
  return total
}

const entries = Object.entries(tables)
let place = 12 + entries.length * 16
const directory = entries.map(([tag, bytes]) => {
  const record = Buffer.concat([Buffer.from(tag), u32(sum(padded(bytes)), place, bytes.length)])
  place += padded(bytes).length
  return record
})
const power = Math.floor(Math.log2(entries.length))
const font = Buffer.concat([
  u32(0x10000),
  u16(entries.length, 16 << power, power, entries.length * 16 - (16 << power)),
  ...directory,
  ...entries.map(([, bytes]) => padded(bytes)),
])
const head = font.indexOf(u32(0x10000, 0x10000, 0, 0x5f0f3cf5))
font.writeUInt32BE((0xb1b0afba - sum(font)) >>> 0, head + 8)

for (const project of ['bars', 'tabs']) {
  const folder = join(import.meta.dirname, '..', project, 'static')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'icons.ttf'), font)
}
