/** What the client knows when it is refused. Times are Unix times in ms. */
export interface Circumstances {
  appid: string
  secret: string
  baseUrl: string
  /** The clock of this machine when the request was signed. */
  now: number
  /** The clock of the server, where the answer told it. */
  serverTime: number | undefined
}

/** What to do about a refusal, for the developer; undefined where the server's own statement says it all. */
export function advice(code: string | undefined, circumstances: Circumstances): string | undefined {
  return code === undefined ? undefined : advices[code]?.(circumstances)
}

const advices: Record<string, (circumstances: Circumstances) => string | undefined> = {
  sign_mismatch: ({ appid, secret, baseUrl }) => {
    const causes: string[] = []
    if (!/^[0-9a-f]{48}$/.test(secret)) {
      causes.push(
        `The secret given to this client has ${secret.length} characters; a secret of Souk has 48, digits and a to f.`,
      )
      if (/\s/.test(secret)) causes.push('There is white space in it.')
    }
    causes.push(
      `Check that the secret is that of ${appid} at ${baseUrl}, that it was not rotated since, and that no proxy adds or changes parameters.`,
    )
    return causes.join(' ')
  },
  appid_invalid: ({ appid, baseUrl }) =>
    /^[a-z][a-z0-9]{14}$/.test(appid)
      ? `Check that ${appid} exists and is enabled at ${baseUrl}: npm run souk -- app list`
      : `The appid given to this client has ${appid.length} characters; an appid of Souk has 15 lowercase letters and digits and starts with a letter.${/\s/.test(appid) ? ' There is white space in it.' : ''}`,
  timestamp_out_of_window: ({ now, serverTime }) => {
    if (serverTime === undefined)
      return 'Check the clock of this machine: it may differ from the server’s by 5 minutes.'
    const skew = Math.round((now - serverTime) / 1000)
    if (Math.abs(skew) < 60) {
      return 'The clocks agree, so the request was held up for minutes between signing and arriving: look for a queue or proxy.'
    }
    return `The clock of this machine is ${Math.abs(skew)} s ${skew > 0 ? 'ahead of' : 'behind'} the server’s; 300 s are allowed. Synchronise it (NTP).`
  },
  capability_missing: ({ appid }) => `An owner can grant it: npm run souk -- app update ${appid} --capabilities …`,
  code_used: () =>
    'Exchange each code once, and never repeat accessToken with it; ask the page for a new one with neu.login().',
  code_expired: () => 'A code lives for 5 minutes: exchange it as soon as it arrives, or ask the page for a new one.',
  code_foreign: ({ appid }) => `The page that obtained it does not run as ${appid}.`,
  access_token_invalid: () => 'Exchange a new code; do not repeat the call.',
  open_id_unknown: ({ appid }) =>
    `An openId is valid under one appid only: use the one that userInfo gave under ${appid}.`,
  recipients_unknown: ({ appid }) =>
    `An openId is valid under one appid only: use those that userInfo gave under ${appid}.`,
}
