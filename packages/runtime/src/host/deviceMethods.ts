import type { HostMethods } from '../carrier.ts'
import { callNumber, copyText, vibrate } from '../carriers/browser.ts'

/** Device methods for hosts that run in a browser. They do not ask the user; the host application does that. */
export const deviceMethods: Pick<HostMethods, 'setClipboardData' | 'getClipboardData' | 'vibrate' | 'makePhoneCall'> = {
  async setClipboardData({ data }) {
    await copyText(data)
    return {}
  },
  getClipboardData: async () => ({ data: await navigator.clipboard.readText() }),
  async vibrate({ type }) {
    vibrate(type)
    return {}
  },
  async makePhoneCall({ phoneNumber }) {
    callNumber(phoneNumber)
    return {}
  },
}
