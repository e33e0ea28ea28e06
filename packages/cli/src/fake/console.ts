import {
  type CallbackFault,
  consoleOperations,
  type Operation,
  type Outcome,
  type ParametersOf,
  type PayMethodName,
  SoukError,
} from '@souk/contract'
import { compileParameters } from '@souk/contract/compileParameters'
import type { Callbacks } from './callbacks.ts'
import type { FakeClock } from './clock.ts'
import type { FakeSouk } from './souk.ts'

type Operations = typeof consoleOperations
type Handlers = { readonly [N in keyof Operations]?: (given: ParametersOf<Operations[N]>) => unknown }

/** A request of the console, with its query and the properties of its body. */
interface ConsoleRequest {
  readonly method: string
  readonly path: string
  readonly given: Iterable<readonly [string, unknown]>
}

/**
 * Returns the function that answers the operations of the console that control a sandbox.
 * @throws SoukError `route_unknown`, `method_not_allowed`, and what the operation and its parameters can throw
 */
export function createConsole(souk: FakeSouk, callbacks: Callbacks, clock: FakeClock) {
  const clockNow = () => ({ now: clock.now(), offset: clock.offset(), moves: [] })
  const handlers = {
    createApp: ({ name }) => {
      const app = souk.createApp(name)
      return { appid: app.appid, secret: app.secrets[0]!.secret }
    },
    updateApp: ({ appid, enabled, capabilities, ...others }) => {
      if (Object.keys(others).length > 0) {
        throw new SoukError('parameter_invalid', 'The fake changes enabled and capabilities only.')
      }
      const app = souk.appOf(appid)
      if (enabled !== undefined) app.isEnabled = enabled
      if (capabilities !== undefined) app.capabilities = new Set(capabilities)
      return { appid, enabled: app.isEnabled, capabilities: [...app.capabilities] }
    },
    // The contract has a default for what is absent.
    rotateSecret: ({ appid, overlap }) => ({ secret: souk.rotateSecret(souk.appOf(appid), overlap!) }),
    getCallbackFault: ({ appid }) => ({ appid, ...callbacks.faultOf(souk.appOf(appid)) }),
    setCallbackFault: ({ appid, fault, count }) => {
      const app = souk.appOf(appid)
      callbacks.setFault(app, fault as CallbackFault, count)
      return { appid, ...callbacks.faultOf(app) }
    },
    createUser: ({ claims, ...profile }) => {
      if (claims) throw new SoukError('parameter_invalid', 'The fake has no claims.')
      return { uid: souk.createUser(profile).uid }
    },
    createCode: ({ appid, uid, scope }) => ({
      code: souk.createCode(souk.appOf(appid), souk.userOf(uid), scope?.split(',')),
    }),
    pay: ({ tradeNo, uid, payMethod, outcome }) => {
      souk.userOf(uid)
      return souk.pay(tradeNo, payMethod as PayMethodName, outcome as Outcome | undefined)
    },
    resolvePayment: ({ tradeNo, outcome }) => souk.resolve(tradeNo, outcome as Outcome),
    sandboxInbox: ({ uid }) => souk.inboxOf(souk.userOf(uid)),
    sandboxHome: ({ uid }) => souk.homeOf(souk.userOf(uid)),
    moveClock: async ({ forward = 0, reset }) => {
      if (reset) clock.reset()
      else await clock.forward(forward)
      return clockNow()
    },
    getClock: clockNow,
    listCallbacks: ({ appid, ...filter }) => callbacks.list(souk.appOf(appid), filter),
    replayCallback: ({ notifyId }) => callbacks.replay(notifyId),
  } satisfies Handlers

  const routes = Object.entries(handlers).map(([name, run]) => {
    const operation: Operation = consoleOperations[name as keyof typeof handlers]
    return {
      method: operation.method,
      // ReDoS: reads requests of tests on the same machine.
      path: RegExp(`^${operation.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
      read: compileParameters(operation),
      run: run as (given: object) => unknown,
    }
  })

  return async ({ method, path, given }: ConsoleRequest): Promise<unknown> => {
    const found = routes.filter((route) => route.path.test(path))
    if (found.length === 0) throw new SoukError('route_unknown', `The fake has no ${path}.`)
    const route = found.find((one) => one.method === method)
    if (!route) throw new SoukError('method_not_allowed', `Use ${found.map((one) => one.method).join(' or ')}.`)
    const { groups = {} } = route.path.exec(path)!
    return route.run(route.read(new Map([...given, ...Object.entries(groups)])))
  }
}
