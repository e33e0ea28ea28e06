import type { App } from './fixture.ts'

/** The result of a method, or the error with which it rejects. */
export type Outcome = { errMsg: string; [key: string]: unknown }

declare const neu: Record<string, (options?: object) => Promise<unknown>>

/** Calls a method and returns the result of its promise, or the `errMsg` of the error. */
export const call = ({ app }: App, method: string, options?: object): Promise<Outcome | string> =>
  app.evaluate(
    async ([method, options]) => {
      try {
        return (await neu[method]!(options)) as Outcome
      } catch (error) {
        return (error as Outcome).errMsg
      }
    },
    [method, options] as const,
  )

/** The dialogs that the host shows over the mini app. */
export const dialog = ({ host }: App) => host.locator('.neu-overlays [role=dialog]')
