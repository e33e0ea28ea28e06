// Preloaded into the server that is fuzzed: it must not reach payment providers or anyone else.
import { isIP, Socket } from 'node:net'

const { connect } = Socket.prototype
const isLoopback = (host) => host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

Socket.prototype.connect = function (...args) {
  const [options] = Array.isArray(args[0]) ? args[0] : args
  const { host = 'localhost', path } = typeof options === 'object' ? options : { host: args[1] }
  if (path || isLoopback(host)) return connect.apply(this, args)
  process.nextTick(() => this.destroy(new Error(`a fuzzed server may not connect to ${host}`)))
  return this
}
