import { language, words } from './words/index.ts'

/** Set by `npm start` or in `.env`. */
const baseUrl = import.meta.env.VITE_BACKEND

type Code = keyof typeof words.value.failures

/** An error response of the backend, with its error code. */
class BackendError extends Error {
  readonly code: Code

  constructor(code: Code) {
    super(code)
    this.code = code
  }
}

/** The session token of the shop; requested once and again after it has expired. */
let token: Promise<string> | undefined

const getToken = () =>
  (token ??= logIn().catch((error) => {
    token = undefined
    throw error
  }))

/** Login flow: the host returns a code without a prompt, and the backend exchanges it for a session. */
async function logIn(): Promise<string> {
  const { code } = await neu.login()
  const session = await send<{ token: string }>('POST', '/sessions', { code })
  return session.token
}

type Method = 'GET' | 'POST' | 'PUT'

/** Calls the backend as the logged-in user. Logs in again if the session has expired. */
export async function callBackend<T>(method: Method, path: string, data?: object): Promise<T> {
  try {
    return await send<T>(method, path, data, await getToken())
  } catch (error) {
    const isSignedOut = error instanceof BackendError && error.code === 'signed_out'
    if (!isSignedOut) throw error
    token = undefined
    return send<T>(method, path, data, await getToken())
  }
}

async function send<T>(method: Method, path: string, data?: object, token?: string): Promise<T> {
  const { statusCode, data: body } = await neu.request({
    url: baseUrl + path,
    method,
    ...(data && { data }),
    header: { 'accept-language': language.value, ...(token && { authorization: `Bearer ${token}` }) },
  })
  if (statusCode !== 200) throw new BackendError(body.code)
  return body
}

/** Runs an action and shows a message if it fails. */
export async function attempt(action: () => Promise<void>): Promise<void> {
  try {
    await action()
  } catch (error) {
    console.error(error)
    const code = error instanceof BackendError ? error.code : 'failed'
    neu.showToast({ title: words.value.failures[code], icon: 'none' })
  }
}
