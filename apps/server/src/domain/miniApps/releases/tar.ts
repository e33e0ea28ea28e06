/** Header of an entry in a tar archive. `size` in bytes. */
export interface TarHeader {
  name: string
  /** `file`, `directory`, or the name of any other type. */
  type: string
  size: number
}

/** The input is not a tar archive, or a damaged one. */
export class TarError extends Error {}

const blockSize = 512
/** Maximum size of the metadata of an entry, in bytes. */
const maxMetadataSize = 64 * 1024
const types = new Map([
  ['\0', 'file'],
  ['0', 'file'],
  ['1', 'link'],
  ['2', 'symlink'],
  ['3', 'character-device'],
  ['4', 'block-device'],
  ['5', 'directory'],
  ['6', 'fifo'],
])

/**
 * Reads the files of a tar archive: ustar, with names in PAX or GNU headers. Reads each byte once, so the time is
 * linear in the size of the archive.
 *
 * @param accept is called with each header before its content is read; returns whether to yield the entry
 * @throws TarError, and what `source` and `accept` throw
 */
export async function* readTar(
  source: AsyncIterable<Buffer>,
  accept: (header: TarHeader) => boolean,
): AsyncGenerator<{ header: TarHeader; content: Buffer<ArrayBuffer> }> {
  const reader = new ByteReader(source)
  let longName: string | undefined
  for (;;) {
    const block = await reader.take(blockSize)
    if (isZero(block)) return await readEnd(reader)
    const { name, flag, size } = parseHeader(block)
    const readPadding = () => reader.take(-size & (blockSize - 1))
    if (metadata.has(flag)) {
      if (size > maxMetadataSize) throw new TarError(`metadata of ${size} bytes`)
      longName = metadata.get(flag)!(await reader.take(size)) ?? longName
      await readPadding()
      continue
    }
    const header = describe(longName ?? name, flag, size)
    longName = undefined
    if (accept(header)) yield { header, content: await reader.take(header.size) }
    else await reader.skip(header.size)
    if (header.size > 0) await readPadding()
  }
}

function describe(name: string, flag: string, size: number): TarHeader {
  const type = types.get(flag) ?? `entry of type ${JSON.stringify(flag)}`
  // Old archives mark folders by their names.
  if (type === 'directory' || (type === 'file' && name.endsWith('/'))) return { name, type: 'directory', size: 0 }
  return { name, type, size: type === 'file' ? size : 0 }
}

/** Reads the end of an archive: two blocks of zeros; more may follow. */
async function readEnd(reader: ByteReader): Promise<void> {
  if (!isZero(await reader.take(blockSize))) throw new TarError('one block of zeros')
  for (let rest = await reader.takeAny(); rest; rest = await reader.takeAny())
    if (!isZero(rest)) throw new TarError('data after the end')
}

function parseHeader(block: Buffer): { name: string; flag: string; size: number } {
  const stored = parseOctal(block.subarray(148, 156))
  if (sumOf(block) !== stored) throw new TarError('wrong checksum')
  const prefix = block.toString('latin1', 257, 263) === 'ustar\0' ? parseText(block.subarray(345, 500)) : ''
  const name = parseText(block.subarray(0, 100))
  return {
    name: prefix ? `${prefix}/${name}` : name,
    flag: String.fromCharCode(block[156]!),
    size: parseOctal(block.subarray(124, 136)),
  }
}

/** Computes the checksum of a header, in which the checksum itself counts as spaces. */
function sumOf(block: Buffer): number {
  let sum = 8 * 32
  for (let index = 0; index < blockSize; index++) if (index < 148 || index >= 156) sum += block[index]!
  return sum
}

function parseText(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end)
}

/** Numbers in base 256, for files over 8 GB, are rejected like any other text. */
function parseOctal(bytes: Buffer): number {
  const digits = parseText(bytes).trim()
  if (!/^[0-7]{1,12}$/.test(digits)) throw new TarError('invalid number')
  return Number.parseInt(digits, 8)
}

/** Types of entries that describe the next one, each with a function that returns its name, if given. */
const metadata = new Map<string, (content: Buffer) => string | undefined>([
  ['x', parsePax],
  ['g', () => undefined],
  ['L', parseText],
  ['K', () => undefined],
])

/** Returns the path in PAX records: `<length> <key>=<value>\n`, where the length includes itself. */
function parsePax(content: Buffer): string | undefined {
  let path: string | undefined
  for (let start = 0; start < content.length; ) {
    const digits = /^\d{1,5} /.exec(content.toString('latin1', start, start + 6))?.[0]
    const end = start + Number(digits)
    if (digits === undefined || end > content.length || content[end - 1] !== 0x0a)
      throw new TarError('invalid PAX record')
    const record = content.subarray(start + digits.length, end - 1)
    const key = record.toString('utf8', 0, record.indexOf('='))
    if (key === 'path') path = record.toString('utf8', key.length + 1)
    // Would move the next header; no file needs it below 8 GB.
    if (key === 'size') throw new TarError('PAX size')
    start = end
  }
  return path
}

const zeros = Buffer.alloc(blockSize)

function isZero(bytes: Buffer): boolean {
  for (let start = 0; start < bytes.length; start += blockSize) {
    const part = bytes.subarray(start, start + blockSize)
    if (!part.equals(zeros.subarray(0, part.length))) return false
  }
  return true
}

/** Reads exact numbers of bytes from chunks of any size. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#chunks = source[Symbol.asyncIterator]()
  }

  /** @throws TarError if fewer bytes are left */
  async take(length: number): Promise<Buffer<ArrayBuffer>> {
    const buffer = Buffer.allocUnsafeSlow(length)
    await this.#read(length, (chunk, offset) => chunk.copy(buffer, offset))
    return buffer
  }

  /** @throws TarError if fewer bytes are left */
  async skip(length: number): Promise<void> {
    await this.#read(length, () => {})
  }

  /** Returns the next bytes, or undefined at the end. */
  async takeAny(): Promise<Buffer | undefined> {
    if (this.#rest.length === 0) {
      const { done, value } = await this.#chunks.next()
      return done ? undefined : value
    }
    const rest = this.#rest
    this.#rest = Buffer.alloc(0)
    return rest
  }

  async #read(length: number, onChunk: (chunk: Buffer, offset: number) => void): Promise<void> {
    for (let offset = 0; offset < length; ) {
      const chunk = await this.takeAny()
      if (chunk === undefined) throw new TarError('truncated')
      const used = chunk.subarray(0, length - offset)
      onChunk(used, offset)
      offset += used.length
      this.#rest = chunk.subarray(used.length)
    }
  }
}
