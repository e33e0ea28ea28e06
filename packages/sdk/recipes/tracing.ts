import { context, propagation, SpanKind, trace } from '@opentelemetry/api'
import { type OnAttempt, Souk } from '@souk/sdk'

const tracer = trace.getTracer('shop')

/** Records a span per attempt. The spans of the server belong to the same trace. */
const onAttempt: OnAttempt = ({ operation, method, server, path, number, headers }) => {
  const span = tracer.startSpan(`souk ${operation}`, {
    kind: SpanKind.CLIENT,
    attributes: {
      'http.request.method': method,
      'http.request.resend_count': number - 1,
      'server.address': server,
      'url.template': path,
    },
  })
  propagation.inject(trace.setSpan(context.active(), span), headers)
  return ({ status, requestId, error }) => {
    if (status) span.setAttribute('http.response.status_code', status)
    if (requestId) span.setAttribute('souk.request_id', requestId)
    if (error) span.setAttribute('error.type', error)
    span.end()
  }
}

export const souk = new Souk({
  baseUrl: process.env.SOUK_URL ?? 'http://localhost:7070',
  appid: process.env.SOUK_APPID ?? '',
  secret: process.env.SOUK_SECRET ?? '',
  onAttempt,
})
