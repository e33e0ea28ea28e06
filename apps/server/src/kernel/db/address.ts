/** Parts of a database's URL that are not secret. */
interface Address {
  /** Host and port, or several of them separated by commas. */
  hosts: string
  /** Name of the database; empty if the URL has none. */
  name: string
}

/** Parses the URL of a database without repeating anything that may be part of its password. */
export function parseAddress(url: string): Address | undefined {
  const [, hosts, name = ''] =
    /^postgres(?:ql)?:\/\/(?:[^@/?#\s]*@)?([^@/?#\s]+)(?:\/([^@?#]*))?(?:\?[^@]*)?$/i.exec(url) ?? []
  return hosts === undefined ? undefined : { hosts, name }
}
