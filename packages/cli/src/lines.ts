/**
 * Splits UTF-8 text at line feeds, and removes a carriage return before them and the byte order mark. Unlike
 * node:readline, keeps U+2028 and U+2029, which JSON strings may contain.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n')
    rest += first
    if (others.length === 0) continue
    yield withoutReturn(rest)
    rest = others.pop()!
    yield* others.map(withoutReturn)
  }
  rest += decoder.decode()
  if (rest !== '') yield withoutReturn(rest)
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
