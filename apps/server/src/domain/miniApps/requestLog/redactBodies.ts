import { maskedParameters, maskSecrets, type Operation } from '@souk/contract'
import type { RequestLogEntry } from './store.ts'

/** The parameters and the response of a request, without secrets and personal data. */
export type RequestBodies = Pick<RequestLogEntry, 'parameters' | 'response' | 'tradeNo'>

export type EntryWithoutBodies = Omit<RequestLogEntry, keyof RequestBodies>

/** Maximum lengths in characters. Only texts and addresses of notifications may be longer, up to 2048. */
const maxValue = 1024
const maxParameters = 50
const maxResponse = 8192

interface Envelope {
  responseHeader: unknown
  response: unknown
}

/** Masks `redact` of the operation and the app's secrets in the parameters and the response, and cuts long ones. */
export function redactBodies(
  { redact }: Operation,
  received: ReadonlyMap<string, string>,
  envelope: Envelope,
  secrets: readonly string[],
): RequestBodies {
  const parameters = maskedParameters(received, { secrets, names: redact })
    .filter(([name]) => name !== 'sign' && name !== 'secret')
    .slice(0, maxParameters)
    .map(([name, value]) => [cut(name, maxValue), cut(value, maxValue)])
  const response = JSON.stringify(envelope.response, (name, value) =>
    value !== null && redact.includes(name) ? '******' : value,
  )
  const text = `{"responseHeader":${JSON.stringify(envelope.responseHeader)},"response":${response}}`
  return {
    parameters: Object.fromEntries(parameters),
    response: cut(maskSecrets(text, secrets), maxResponse),
    tradeNo: tradeNoIn(envelope.response) ?? tradeNoIn(Object.fromEntries(received)),
  }
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`
}

function tradeNoIn(fields: unknown): string | null {
  const { tradeNo } = (fields ?? {}) as { tradeNo?: unknown }
  return typeof tradeNo === 'string' && /^[0-9a-f]{32}$/i.test(tradeNo) ? tradeNo.toLowerCase() : null
}
