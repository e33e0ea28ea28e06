/** Facts about a failed request. Times are Unix times in ms. */
export interface Circumstances {
  appid: string
  secret: string
  baseUrl: string
  /** The clock of this machine when the request was signed. */
  now: number
  /** The clock of the server, if the response contained it. */
  serverTime: number | undefined
}

/** Returns advice for the developer about an error, or undefined if the server's message is sufficient. */
export function advice(code: string | undefined, circumstances: Circumstances): string | undefined {
  return code === undefined ? undefined : advices[code]?.(circumstances)
}

const advices: Record<string, (circumstances: Circumstances) => string | undefined> = {
  sign_mismatch: ({ appid, secret, baseUrl }) => {
    const causes: string[] = []
    if (!/^[0-9a-f]{48}$/.test(secret)) {
      causes.push(
        `The given secret has ${secret.length} characters; a Souk secret has 48 characters, 0 to 9 and a to f.`,
      )
      if (/\s/.test(secret)) causes.push('It contains white space.')
    }
    causes.push(
      `Check that the secret belongs to ${appid} at ${baseUrl}, that it was not rotated, and that no proxy adds or changes parameters.`,
    )
    return causes.join(' ')
  },
  appid_invalid: ({ appid, baseUrl }) =>
    /^[a-z][a-z0-9]{14}$/.test(appid)
      ? `Check that ${appid} exists and is enabled at ${baseUrl}: npm run souk -- app list`
      : `The given appid has ${appid.length} characters; a Souk appid has 15 lowercase letters and digits and starts with a letter.${/\s/.test(appid) ? ' It contains white space.' : ''}`,
  timestamp_out_of_window: ({ now, serverTime }) => {
    if (serverTime === undefined)
      return 'Check the clock of this machine: it may differ from the server’s by at most 5 minutes.'
    const skew = Math.round((now - serverTime) / 1000)
    if (Math.abs(skew) < 60) {
      return 'The clocks agree, so the request was delayed for minutes between signing and arrival: check queues and proxies.'
    }
    return `The clock of this machine is ${Math.abs(skew)} s ${skew > 0 ? 'ahead of' : 'behind'} the server’s; at most 300 s are allowed. Synchronize it with NTP.`
  },
  capability_missing: ({ appid }) => `An owner can grant it: npm run souk -- app update ${appid} --capabilities …`,
  code_used: () => 'Exchange each code once, and request a new code on the page with neu.login().',
  code_expired: () => 'A code is valid for 5 minutes: exchange it immediately, or request a new one on the page.',
  code_foreign: ({ appid }) => `The page that obtained it runs under another appid than ${appid}.`,
  access_token_invalid: () => 'Exchange a new code instead of retrying.',
  open_id_unknown: ({ appid }) =>
    `An openId is valid under one appid only: use the one that userInfo returned under ${appid}.`,
  recipients_unknown: ({ appid }) =>
    `An openId is valid under one appid only: use those that userInfo returned under ${appid}.`,
}
