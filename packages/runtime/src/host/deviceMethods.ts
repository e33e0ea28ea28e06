import type { HostMethods } from '../carrier.ts'
import { callNumber, copyText, vibrate } from '../carriers/browser.ts'

/** What a host that runs in a browser does with the device for its mini apps. It asks nobody: that is the host application's to do. */
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
