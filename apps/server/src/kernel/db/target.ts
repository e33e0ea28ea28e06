import { userInfo } from 'node:os'
import type { ConnectionOptions } from 'node:tls'
import pg from 'pg'

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
  login: Pick<pg.ClientConfig, 'user' | 'password' | 'database'>
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
  const { before, hosts, after } = splitHosts(url)
  const { username, password, pathname, searchParams } = new URL(`${before}host${after}`)
  const { ssl, sslmode = ssl, sslrootcert, sslnegotiation, ...others } = Object.fromEntries(searchParams)
  const mode = sslrootcert === 'system' ? 'verify-full' : sslmode
  return {
    places: hosts.map(parsePlace),
    login: {
      user: decodeURIComponent(username) || (new pg.Client().user ?? userInfo().username),
      password: decodeURIComponent(password) || undefined,
      database: decodeURIComponent(pathname.slice(1)) || undefined,
    },
    tls: parseTls(mode, sslnegotiation),
    settings: Object.fromEntries(Object.entries(others).filter(([name]) => !ignored.includes(name))),
  }
}

/** Splits a URL into its hosts and what is before and after them. What is not a URL has no host. */
export function splitHosts(url: string): { before: string; hosts: string[]; after: string } {
  const [, before = '', hosts = '', after = ''] = /^(\w+:\/\/(?:[^@/?]*@)?)([^/?@]*)(.*)$/s.exec(url) ?? []
  return { before, hosts: hosts.split(','), after }
}

/** The driver knows what a missing host or port means: `PGHOST` and `PGPORT`, or its defaults. */
function parsePlace(text: string): Place {
  const { hostname, port } = new URL(`postgres://${text}`)
  const host = decodeURIComponent(hostname.replace(/^\[|\]$/g, ''))
  const client = new pg.Client({ ...(host && { host }), ...(port && { port: Number(port) }) })
  return { host: client.host, port: client.port }
}

/** As in libpq, `require` and what is weaker encrypt without verifying the server. All other modes verify it. */
function parseTls(mode: string | undefined, negotiation: string | undefined): Tls {
  const isDirect = negotiation === 'direct'
  if (mode === undefined || mode === 'disable' || mode === 'false')
    return { options: undefined, isOptional: false, isDirect }
  const isUnverified = mode === 'require' || mode === 'allow' || mode === 'prefer'
  return { options: isUnverified ? { rejectUnauthorized: false } : {}, isOptional: mode === 'prefer', isDirect }
}
