import { userInfo } from 'node:os'
import type { ConnectionOptions } from 'node:tls'
import type { ClientConfig } from 'pg'

/** A host of the database. */
export interface Place {
  /** Name or address, or the folder of a Unix socket. */
  host: string
  port: number
}

/** What the URL of a database names. */
export interface Target {
  places: Place[]
  /** The driver takes a missing password or database from `PGPASSWORD` or `PGDATABASE`. */
  login: Pick<ClientConfig, 'user' | 'password' | 'database'>
  tls: Tls
  /** Parameters of the session: all of the query that does not concern the connection. */
  settings: Record<string, string>
}

interface Tls {
  /** Undefined without TLS. */
  options: ConnectionOptions | undefined
  /** Whether a server without TLS is acceptable. */
  isOptional: boolean
  isDirect: boolean
}

/** Parameters of libpq that Souk decides itself. */
const ignored = ['connect_timeout', 'target_session_attrs']

/**
 * Parses the URL of a database, which may name several hosts.
 * @throws TypeError if it is not a URL
 */
export function parseTarget(url: string): Target {
  const [, before = '', hosts = '', after = ''] = /^(\w+:\/\/(?:[^@/?]*@)?)([^/?@]*)(.*)$/s.exec(url) ?? []
  const { username, password, pathname, searchParams } = new URL(`${before}host${after}`)
  const { ssl, sslmode = ssl, sslrootcert, sslnegotiation, ...others } = Object.fromEntries(searchParams)
  const mode = sslrootcert === 'system' ? 'verify-full' : sslmode
  return {
    places: hosts.split(',').map(parsePlace),
    login: {
      user: decodeURIComponent(username) || process.env.PGUSER || userInfo().username,
      password: decodeURIComponent(password) || undefined,
      database: decodeURIComponent(pathname.slice(1)) || undefined,
    },
    tls: parseTls(mode, sslnegotiation),
    settings: Object.fromEntries(Object.entries(others).filter(([name]) => !ignored.includes(name))),
  }
}

function parsePlace(text: string): Place {
  const { hostname, port } = new URL(`postgres://${text}`)
  const name = decodeURIComponent(hostname.replace(/^\[|\]$/g, ''))
  return { host: name || process.env.PGHOST || 'localhost', port: Number(port || process.env.PGPORT || 5432) }
}

/** As in libpq, `require` and what is weaker encrypt without verifying the server. All other modes verify it. */
function parseTls(mode: string | undefined, negotiation: string | undefined): Tls {
  const isDirect = negotiation === 'direct'
  if (mode === undefined || mode === 'disable' || mode === 'false')
    return { options: undefined, isOptional: false, isDirect }
  const isUnverified = mode === 'require' || mode === 'allow' || mode === 'prefer'
  return { options: isUnverified ? { rejectUnauthorized: false } : {}, isOptional: mode === 'prefer', isDirect }
}
