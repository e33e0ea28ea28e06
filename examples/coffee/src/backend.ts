import { language, words } from './words/index.ts'

/** Set by `npm start`, or in `.env`. */
const address = import.meta.env.VITE_BACKEND

type Code = keyof typeof words.value.failures

/** The backend has refused; the code is one of its own. */
class Refused extends Error {
  readonly code: Code

  constructor(code: Code) {
    super(code)
    this.code = code
  }
}

/** The token of this shop, for as long as it is good. */
let token: Promise<string> | undefined

const signedIn = () =>
  (token ??= logIn().catch((error) => {
    token = undefined
    throw error
  }))

/** Login flow: the host gives a code without asking anybody, and the backend exchanges it. */
async function logIn(): Promise<string> {
  const { code } = await neu.login()
  const session = await send<{ token: string }>('POST', '/sessions', { code })
  return session.token
}

/** Asks the backend, as the user who has logged in. */
export async function ask<T>(method: 'GET' | 'POST' | 'PUT', path: string, data?: object): Promise<T> {
  try {
    return await send<T>(method, path, data, await signedIn())
  } catch (error) {
    const isSignedOut = error instanceof Refused && error.code === 'signed_out'
    if (!isSignedOut) throw error
    token = undefined
    return send<T>(method, path, data, await signedIn())
  }
}

async function send<T>(method: string, path: string, data?: object, token?: string): Promise<T> {
  const { statusCode, data: answer } = await neu.request({
    url: address + path,
    method,
    ...(data && { data }),
    header: { 'accept-language': language.value, ...(token && { authorization: `Bearer ${token}` }) },
  })
  if (statusCode !== 200) throw new Refused(answer.code)
  return answer
}

/** Does it, or tells the user why not. */
export async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    console.error(error)
    const code = error instanceof Refused ? error.code : 'failed'
    neu.showToast({ title: words.value.failures[code], icon: 'none' })
  }
}
