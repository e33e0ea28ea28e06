/**
 * Messages between a mini app in its frame and the host application around it. The frame is of an opaque origin and reaches the host only
 * through one MessagePort, which the host hands to it; the host checks every message against these types at run time.
 */

/** Of this protocol. A host and a runtime that do not share it say so and stop. */
export const bridgeVersion = 1

/** What a mini app may ask its host for, with what it gives back. A refusal comes as `{ errMsg: '<method>:fail <reason>' }`. */
export interface BridgeMethods {
  /** open-api §1: a code with the scope user.info, without a prompt. */
  login: { params: Record<never, never>; result: { code: string } }
  /** Asks the user; `scope` is a comma list of user.info, user.phone, user.email. */
  getAuthCode: { params: { scope: string }; result: { code: string } }
  /** Shows the cashier for a trade. The other fields are for comparison only: what is charged is the trade. Amount in major units. */
  requestPayment: {
    params: { tradeNo: string; name?: string; country?: string; currency?: string; amount?: string }
    result: { status: 0 | 1 | 2; failCode?: number }
  }
  getUserProfile: {
    params: { desc?: string }
    result: { userInfo: { nickName: string; avatarUrl: string; language: string } }
  }
  setStorage: { params: { key: string; data: string }; result: Record<never, never> }
  removeStorage: { params: { key: string }; result: Record<never, never> }
  clearStorage: { params: Record<never, never>; result: Record<never, never> }
  /** `icon` is none, success, error, loading or an address. Duration in ms. */
  showToast: {
    params: { title: string; icon: string; image: string; duration: number; mask: boolean; position: string }
    result: Record<never, never>
  }
  hideToast: { params: Record<never, never>; result: Record<never, never> }
  showLoading: { params: { title: string; mask: boolean }; result: Record<never, never> }
  hideLoading: { params: Record<never, never>; result: Record<never, never> }
  showModal: {
    params: {
      title: string
      content: string
      showCancel: boolean
      cancelText: string
      cancelColor: string
      confirmText: string
      confirmColor: string
      editable: boolean
      placeholderText: string
    }
    result: { confirm: boolean; cancel: boolean; content?: string }
  }
  showActionSheet: {
    params: { title: string; itemList: string[]; itemColor: string }
    result: { tapIndex: number }
  }
  previewImage: { params: { urls: string[]; current: number }; result: Record<never, never> }
  setClipboardData: { params: { data: string }; result: Record<never, never> }
  getClipboardData: { params: Record<never, never>; result: { data: string } }
  /** Leaves the mini app: back on its first page. */
  exitMiniApp: { params: Record<never, never>; result: Record<never, never> }
  vibrate: { params: { type: 'long' | 'short' }; result: Record<never, never> }
  makePhoneCall: { params: { phoneNumber: string }; result: Record<never, never> }
}
