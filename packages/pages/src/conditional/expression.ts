/** What is written behind `#ifdef`, read: which build names it mentions, and whether it holds for a set of them. */
export type Expression = {
  /** With their offsets from the expression's start. */
  readonly names: readonly { readonly name: string; readonly offset: number }[]
  readonly holds: (defined: ReadonlySet<string>) => boolean
}

type Test = (defined: ReadonlySet<string>) => boolean

/**
 * Reads `A || B && !(C || D)`: `!` binds closest, then `&&`, then `||`; names have letters, digits, `_` and inner hyphens.
 * Gives a message where it cannot be read. Parentheses nest at most 50 deep.
 */
export function readExpression(text: string): Expression | string {
  const tokens = [...text.matchAll(/[\w-]+|\|\||&&|[!()]|\S/g)].map((match) => ({
    sign: match[0],
    offset: match.index,
  }))
  const names: { name: string; offset: number }[] = []
  let next = 0
  let depth = 0

  const fail = (wanted: string): never => {
    const found = tokens[next]?.sign
    throw new Unreadable(
      found === undefined ? `${wanted} is missing at its end` : `${wanted} belongs where "${found}" stands`,
    )
  }
  const either = (): Test => {
    const tests = [both()]
    while (tokens[next]?.sign === '||') {
      next += 1
      tests.push(both())
    }
    return tests.length === 1 ? tests[0]! : (defined) => tests.some((test) => test(defined))
  }
  const both = (): Test => {
    const tests = [single()]
    while (tokens[next]?.sign === '&&') {
      next += 1
      tests.push(single())
    }
    return tests.length === 1 ? tests[0]! : (defined) => tests.every((test) => test(defined))
  }
  const single = (): Test => {
    let negated = false
    while (tokens[next]?.sign === '!') {
      next += 1
      negated = !negated
    }
    const test = operand()
    return negated ? (defined) => !test(defined) : test
  }
  const operand = (): Test => {
    const token = tokens[next]
    if (token?.sign === '(' && depth < 50) {
      next += 1
      depth += 1
      const test = either()
      depth -= 1
      if (tokens[next]?.sign !== ')') fail('")"')
      next += 1
      return test
    }
    if (token === undefined || !/^\w[\w-]*$/.test(token.sign)) return fail('the name of a build')
    next += 1
    names.push({ name: token.sign, offset: token.offset })
    return (defined) => defined.has(token.sign)
  }

  try {
    const holds = either()
    if (next < tokens.length) fail('"||" or "&&"')
    return { names, holds }
  } catch (error) {
    if (error instanceof Unreadable) return error.message
    throw error
  }
}

class Unreadable extends Error {}
