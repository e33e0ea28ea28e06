import type { PreparedRequest } from '@souk/web/operations'

const credentialHeaders = ['authorization', 'x-api-key']

/** Returns a request as it is sent, with the credential in its headers masked. */
export function httpText({ url, init: { method, headers, body } }: PreparedRequest, host: string): string {
  const lines = Object.entries(headers).map(([name, value]) =>
    credentialHeaders.includes(name.toLowerCase()) ? `${name}: ******` : `${name}: ${value}`,
  )
  const content = body instanceof FormData ? partsOf(body) : body ? String(body) : ''
  return [`${method} ${url} HTTP/1.1`, `Host: ${host}`, ...lines, ...(content ? ['', content] : [])].join('\n')
}

/** Describes the parts of a multipart body, whose boundaries the browser chooses. */
function partsOf(form: FormData): string {
  const parts = Array.from(form, ([name, value]) =>
    typeof value === 'string' ? `${name}=${value}` : `${name}: file ${value.name}, ${value.size} bytes`,
  )
  return `(multipart/form-data)\n${parts.join('\n')}`
}

/** Returns the page of the error that a response names in `Link: <…>; rel="help"`. */
export function helpPage(link: string | null): string | undefined {
  return /<([^<>]+)>; rel="help"/.exec(link ?? '')?.[1]
}
