import { maskSecrets, type Operation } from '@souk/contract'
import { withShownUrls } from '@souk/contract/url'

/** Shown instead of a secret. */
const hidden = '******'

/** Shorter values are no secrets of Souk, and masking them would garble texts. */
const shortestSecret = 8

/**
 * Returns the text with what a request kept secret masked, in case something between client and Souk repeats it, and
 * with its URLs as `shownUrl` returns them.
 */
export type Redact = (text: string) => string

/** Returns the redaction of a request, from the client's credentials and the parameters that are never logged. */
export function createRedact(
  credentials: readonly string[],
  { redact }: Operation,
  parameters: Readonly<Record<string, unknown>>,
): Redact {
  const values = [...credentials, ...redact.map((name) => parameters[name])]
  const secrets = values.filter((value) => typeof value === 'string').filter(({ length }) => length >= shortestSecret)
  return (text) => withShownUrls(maskSecrets(text, secrets))
}

/** Returns JSON data with its texts redacted. */
export function redactData<T>(data: T, redact: Redact): T {
  return data === undefined ? data : (JSON.parse(JSON.stringify(data), (_, value) => redactText(value, redact)) as T)
}

function redactText(value: unknown, redact: Redact): unknown {
  return typeof value === 'string' ? redact(value) : value
}

/**
 * Returns a copy of an error of `fetch`, with its name, code, redacted texts and causes. Other properties, such as the
 * request that implementations add, are omitted.
 */
export function redactCause(error: unknown, redact: Redact): unknown {
  if (!(error instanceof Error)) return error === undefined ? undefined : redact(String(error))
  const { name, message, stack, cause } = error
  const copy = new Error(redact(message), cause === undefined ? {} : { cause: redactCause(cause, redact) })
  Object.defineProperty(copy, 'name', { value: name })
  Object.defineProperty(copy, 'stack', { value: redact(stack ?? `${name}: ${message}`) })
  if ('code' in error) Object.assign(copy, { code: error.code })
  return copy
}

const inspect = Symbol.for('nodejs.util.inspect.custom')

/**
 * Hides the fields of a result that are never logged from `console.log` and `util.inspect`, at any depth. JSON still
 * contains them, because programs store results and pass them on.
 */
export function hideFromInspection<T>(result: T, { redact }: Operation): T {
  if (redact.length > 0) hideFields(result, new Set(redact))
  return result
}

function hideFields(value: unknown, names: ReadonlySet<string>): void {
  if (typeof value !== 'object' || value === null) return
  for (const each of Object.values(value)) hideFields(each, names)
  if (!Object.keys(value).some((name) => names.has(name))) return
  const shown = () =>
    Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, names.has(name) && each !== null ? hidden : each]),
    )
  Object.defineProperty(value, inspect, { value: shown })
}
