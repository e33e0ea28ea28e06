import { bytesToHex } from '@noble/hashes/utils.js'
import {
  type Deviation,
  digestOf,
  digestsOfLength,
  type Pair,
  type Recipe,
  rightRecipe,
  type Slip,
  secretDeviations,
  steps,
  textOf,
  timestampsNearby,
  wholeTexts,
} from './diagnose.deviations.ts'
import { MISTAKES, type Mistake } from './diagnose.mistakes.ts'
import { equalInConstantTime, fromBase64 } from './sha256.ts'
import { maskSecrets } from './sign.ts'

export type { Mistake }

/** One thing that was done wrong, and two sentences for the developer: what was done, what is right and where it is said. */
export interface Diagnosis {
  readonly mistake: Mistake
  readonly explanation: string
  /** The parameter that the mistake is about, where it is about one. */
  readonly parameter?: string
}

/** What arrived with a sign that does not verify. */
export interface SignedRequest {
  /** The decoded parameters in the order of arrival, `sign` among them or not. */
  readonly parameters: Iterable<readonly [name: string, value: string]>
  /** The sign that arrived. */
  readonly sign: string
  /** The body or query string as it arrived, where it is at hand. */
  readonly rawText?: string
}

/** The app's secrets: each of `active` verifies; those of `retired` are only tried to explain the mistake. */
export interface SecretsToTry {
  readonly active: readonly string[]
  readonly retired?: readonly string[]
}

/**
 * Names what was done wrong when a sign was made: every mistake of the simplest explanation that yields exactly the sign
 * that arrived. Empty when no known mistake yields it (then most likely the secret is another one), and when it is right.
 *
 * It makes the mistakes itself and compares the outcome with what arrived, so it confirms a digest that the caller has
 * already computed, and tells nothing else: neither the right sign nor the secret nor a value is ever part of an answer.
 *
 * Takes some 60 ms of provider time where nothing fits: for a sandbox, a command line or an error in a backend's
 * own process, not for the gate of a live installation.
 */
export function diagnose(request: SignedRequest, secrets: SecretsToTry): Diagnosis[] {
  const received = [...request.parameters]
  const facts = plainFacts(received, request.rawText)
  for (const { hex, slips } of readingsOf(request.sign)) {
    const made = explain(hex, received, request.rawText, secrets)
    if (made) return described([...made, ...slips, ...facts], secrets)
  }
  return described(/^[0-9a-f]{64}$/.test(request.sign) ? facts : [...facts, { mistake: 'sign_malformed' }], secrets)
}

function plainFacts(received: readonly Pair[], rawText = ''): Slip[] {
  const facts: Slip[] = []
  if (/^\s{0,8}\{\s{0,8}["}]/.test(rawText)) facts.push({ mistake: 'json_body' })
  if (received.some(([name, value]) => name === 'timestamp' && /^\d{9,10}$/.test(value))) {
    facts.push({ mistake: 'timestamp_in_seconds' })
  }
  return facts
}

const LONGEST_NAME_SHOWN = 64

function described(slips: readonly Slip[], { active, retired = [] }: SecretsToTry): Diagnosis[] {
  const diagnoses = new Map<string, Diagnosis>()
  for (const { mistake, about: name } of slips) {
    // Before it is shortened: of a name that holds a secret, half would be left.
    const about = name && maskSecrets(name, [...active, ...retired])
    const parameter =
      about === undefined || about.length <= LONGEST_NAME_SHOWN
        ? about
        : `${about.slice(0, LONGEST_NAME_SHOWN).toWellFormed()}…`
    const explanation = MISTAKES[mistake](parameter ?? '')
    diagnoses.set(explanation, { mistake, explanation, ...(parameter === undefined ? {} : { parameter }) })
  }
  return [...diagnoses.values()]
}

/** No digest is longer in any notation, so a longer sign is not read. */
const LONGEST_SIGN = 256

/** The digests that a sign can stand for, in lowercase hexadecimal, and what is wrong with how it is written. */
function readingsOf(sign: string): { hex: string; slips: Slip[] }[] {
  if (sign.length > LONGEST_SIGN) return []
  const readings: { hex: string; slips: Slip[] }[] = []
  const digits = sign.replace(/[\s"'\-:]/g, '')
  if (/^[0-9a-f]+$/i.test(digits)) {
    const slips: Slip[] = []
    if (/[A-F]/.test(digits)) slips.push({ mistake: 'sign_upper_case' })
    if (digits !== sign) slips.push({ mistake: 'sign_decorated' })
    readings.push({ hex: digits.toLowerCase(), slips })
  }
  // A "+" that was sent without encoding arrives as a space.
  const bytes = fromBase64(sign.trim().replaceAll(' ', '+'))
  if (bytes) {
    const text = String.fromCharCode(...bytes)
    const hex = /^[0-9a-f]{32,128}$/i.test(text) ? text.toLowerCase() : bytesToHex(bytes)
    readings.push({ hex, slips: [{ mistake: 'sign_base64' }] })
  }
  return readings
}

/** Bounds the work for long requests: characters hashed, each attempt counting as some more for its fixed cost. */
const MOST_CHARACTERS = 4_000_000
const CHARACTERS_PER_ATTEMPT = 200
/** A request longer than this is not searched: every attempt writes it out anew. */
const LONGEST_REQUEST = 65_536
/** How many habits of other platforms are tried together. */
const MOST_HABITS = 5

/** An app's secret with the right recipe, and every step that can be taken otherwise. */
interface Suspect {
  readonly right: Recipe
  readonly steps: readonly (readonly Deviation[])[]
  readonly habits: readonly (readonly Deviation[])[]
}

interface Attempt {
  readonly right: Recipe
  readonly deviations: readonly Deviation[]
}

/** The mistakes of the simplest way to this digest; empty when the right way leads to it, undefined when none does. */
function explain(
  hex: string,
  received: readonly Pair[],
  rawText: string | undefined,
  secrets: SecretsToTry,
): readonly Slip[] | undefined {
  const digests = digestsOfLength(hex.length / 2)
  const length = received.reduce((sum, [name, value]) => sum + name.length + value.length, rawText?.length ?? 0)
  if (!digests || length > LONGEST_REQUEST) return undefined
  const suspects = secrets.active.map((secret): Suspect => {
    const right = rightRecipe(received, secret)
    const all = [...steps(received, right), secretDeviations(secret, secrets.retired ?? [])]
    return { right, steps: all, habits: all.map((step) => step.filter((deviation) => deviation.habit)) }
  })
  let left = MOST_CHARACTERS
  for (const { right, deviations } of attempts(suspects, digests.plain, digests.keyed, rawText)) {
    const recipe: Recipe = Object.assign({}, right, ...deviations.map((deviation) => deviation.change))
    const text = textOf(recipe)
    left -= text.length + CHARACTERS_PER_ATTEMPT
    if (left < 0) return undefined
    if (equalInConstantTime(hex, digestOf(recipe, text))) return deviations.flatMap((deviation) => deviation.slips)
  }
  return undefined
}

/** Ways to make a sign, from the simple and likely to the involved. */
function* attempts(
  suspects: readonly Suspect[],
  plain: Deviation,
  keyed: readonly Deviation[],
  rawText: string | undefined,
): Generator<Attempt> {
  for (const { right } of suspects) yield { right, deviations: [plain] }
  for (const { right, steps } of suspects) {
    for (const deviations of [[], ...combinations(steps, 1), ...wholeTexts(right, rawText).map((whole) => [whole])]) {
      for (const digest of deviations.length === 0 ? keyed : [plain, ...keyed]) {
        yield { right, deviations: [...deviations, digest] }
      }
    }
  }
  for (let count = 2; count <= MOST_HABITS; count++) {
    for (const { right, habits } of suspects) {
      for (const deviations of combinations(habits, count)) {
        for (const digest of [plain, ...keyed]) yield { right, deviations: [...deviations, digest] }
      }
    }
  }
  for (const { right } of suspects) {
    for (const nearby of timestampsNearby(right)) yield { right, deviations: [plain, nearby] }
  }
  for (const { right, steps } of suspects) {
    for (const deviations of combinations(steps, 2)) yield { right, deviations: [plain, ...deviations] }
  }
}

/** Every way of taking exactly `count` of the steps otherwise. */
function* combinations(choices: readonly (readonly Deviation[])[], count: number, from = 0): Generator<Deviation[]> {
  if (count === 0) {
    yield []
    return
  }
  for (let step = from; step <= choices.length - count; step++) {
    for (const deviation of choices[step] ?? []) {
      for (const rest of combinations(choices, count - 1, step + 1)) yield [deviation, ...rest]
    }
  }
}
