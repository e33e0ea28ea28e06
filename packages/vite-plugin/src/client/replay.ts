/** The first script of a mini app that is replayed: its requests are answered from the recording. */

import { describeBody } from '@souk/runtime/inspector/requests'

const address = new URL('/__souk/replay/request', location.href).href

/** Files of the mini app are served as usual. */
const isReplayed = ({ protocol, origin }: URL) => /^https?:$/.test(protocol) && origin !== new URL(address).origin

const { fetch } = globalThis
globalThis.fetch = async (input, init) => {
  const given = input instanceof Request ? input : undefined
  const url = URL.parse(given?.url ?? String(input), document.baseURI)
  if (!url || !isReplayed(url)) return fetch(input, init)
  const body = init?.body === undefined && given?.body ? await given.clone().text() : describeBody(init?.body)
  const method = (init?.method ?? given?.method ?? 'GET').toUpperCase()
  const signal = init?.signal ?? given?.signal
  const sent = JSON.stringify({ method, url: url.href, ...(body !== undefined && { body }) })
  const response = await fetch(address, { method: 'POST', body: sent, ...(signal && { signal }) })
  if (response.headers.has('souk-replay')) throw new TypeError(await response.text())
  return response
}

const replayed = new WeakMap<XMLHttpRequest, { method: string; url: string }>()
const { open, send, setRequestHeader } = XMLHttpRequest.prototype
Object.assign(XMLHttpRequest.prototype, {
  open(this: XMLHttpRequest, method: string, given: string, ...more: [boolean]) {
    const url = URL.parse(given, document.baseURI)
    replayed.delete(this)
    if (!url || !isReplayed(url)) return open.call(this, method, given, ...more)
    replayed.set(this, { method: method.toUpperCase(), url: url.href })
    return open.call(this, 'POST', address, ...more)
  },
  setRequestHeader(this: XMLHttpRequest, name: string, value: string) {
    if (!replayed.has(this)) setRequestHeader.call(this, name, value)
  },
  send(this: XMLHttpRequest, given?: XMLHttpRequestBodyInit | null) {
    const request = replayed.get(this)
    if (!request) return send.call(this, given)
    const body = describeBody(given)
    this.addEventListener('load', () => {
      // It cannot fail with a reason, which is therefore its response.
      if (this.getResponseHeader('souk-replay')) console.error(this.response)
    })
    return send.call(this, JSON.stringify({ ...request, ...(body !== undefined && { body }) }))
  },
})
