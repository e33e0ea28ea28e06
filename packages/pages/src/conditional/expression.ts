/** The condition of an `#ifdef`. */
export type Expression = {
  /** Build names, with offsets from the start of the expression. */
  readonly names: readonly { readonly name: string; readonly offset: number }[]
  readonly holds: (defined: ReadonlySet<string>) => boolean
}

type Test = (defined: ReadonlySet<string>) => boolean

/** The version of uni-app that `uniVersion` stands for in conditions. */
const uniVersion = 4.87

const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '==': (a, b) => a === b,
  '===': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '!==': (a, b) => a !== b,
}

/**
 * Parses conditions such as `A || B && !(C || D)` and `uniVersion > 3.9`: comparisons and `!` bind tightest, then `&&`,
 * then `||`. Names consist of letters, digits, `_` and inner hyphens. Returns an error message if the condition is not
 * valid. Parentheses may be nested 50 levels deep.
 */
export function parseExpression(text: string): Expression | string {
  const tokens = tokensOf(text)
  const names: { name: string; offset: number }[] = []
  let next = 0
  let depth = 0

  const fail = (expected: string): never => {
    const found = tokens[next]?.text
    throw new InvalidExpression(
      found === undefined ? `expected ${expected} at the end` : `expected ${expected} instead of "${found}"`,
    )
  }
  /** Parses operands between which `operator` is. */
  const chain = (operator: '||' | '&&', operand: () => Test, combine: (tests: Test[]) => Test): Test => {
    const tests = [operand()]
    while (tokens[next]?.text === operator) {
      next += 1
      tests.push(operand())
    }
    return tests.length === 1 ? tests[0]! : combine(tests)
  }
  const disjunction = (): Test => chain('||', conjunction, anyOf)
  const conjunction = (): Test => chain('&&', negation, allOf)
  const negation = (): Test => {
    let negated = false
    while (tokens[next]?.text === '!') {
      next += 1
      negated = !negated
    }
    const test = operand()
    return negated ? (defined) => !test(defined) : test
  }
  const operand = (): Test => {
    const token = tokens[next]
    if (token?.text === '(' && depth < 50) {
      next += 1
      depth += 1
      const test = disjunction()
      depth -= 1
      if (tokens[next]?.text !== ')') fail('")"')
      next += 1
      return test
    }
    if (token === undefined || !/^\w[\w-]*$/.test(token.text)) return fail('a build name')
    next += 1
    if (token.text === 'uniVersion') return comparison()
    names.push({ name: token.text, offset: token.offset })
    return (defined) => defined.has(token.text)
  }
  /** Parses what follows `uniVersion`. Alone, it holds for every version. */
  const comparison = (): Test => {
    const compare = comparisons[tokens[next]?.text ?? '']
    if (compare === undefined) return () => true
    next += 1
    const version = tokens[next]?.text ?? ''
    if (!/^\d+(?:\.\d+)?$/.test(version)) fail('a version such as 3.9')
    next += 1
    return () => compare(uniVersion, Number(version))
  }

  try {
    const holds = disjunction()
    if (next < tokens.length) fail('"||" or "&&"')
    return { names, holds }
  } catch (error) {
    if (error instanceof InvalidExpression) return error.message
    throw error
  }
}

const tokensOf = (text: string) =>
  [...text.matchAll(/\d+\.\d+(?![\w.])|[\w-]+|\|\||&&|[=!]==?|[<>]=?|\S/g)].map((match) => ({
    text: match[0],
    offset: match.index,
  }))

const anyOf =
  (tests: Test[]): Test =>
  (defined) =>
    tests.some((test) => test(defined))
const allOf =
  (tests: Test[]): Test =>
  (defined) =>
    tests.every((test) => test(defined))

class InvalidExpression extends Error {}
