import type fc from 'fast-check'
import type { World } from './server/world.ts'

/** The parts of Souk that take input from outside, as named on the command line. */
export const surfaces = ['open', 'platform', 'console', 'host', 'releases', 'pages', 'bridge'] as const
type SurfaceName = (typeof surfaces)[number]

/** A broken invariant. `where` names the place without values, so that equal findings are reported once. */
export class Violation extends Error {
  readonly where: string
  /** The input that caused it, if it is not the one that is being checked. */
  readonly input: unknown

  constructor(where: string, message: string, input?: unknown) {
    super(message)
    this.name = 'Violation'
    this.where = where
    this.input = input
  }
}

interface TargetOf<Input> {
  /** `<surface>/<name>`; also the folder of its regression inputs. */
  name: string
  surface: SurfaceName
  /** Plain JSON values, so that each input can be stored. */
  inputs: fc.Arbitrary<Input>
  /** Share of the inputs of its surface, relative to the other targets. */
  weight: number
}

/** A function that is called in this process. */
export interface FunctionTarget<Input = never> extends TargetOf<Input> {
  kind: 'function'
  /** Calls the function. Throws if an invariant is violated. Must be synchronous, so that a hang can be interrupted. */
  check(input: Input): void
}

/** A function that waits for something, such as decompression. A hang cannot be interrupted. */
export interface AsyncTarget<Input = never> extends TargetOf<Input> {
  kind: 'async'
  /** Calls the function. Rejects if an invariant is violated. */
  check(input: Input): Promise<void>
}

/** A server process that receives requests. */
export interface ServerTarget<Input = never> extends TargetOf<Input> {
  kind: 'server'
  /** Returns the number of requests in an input. */
  sizeOf(input: Input): number
  /** Sends the requests. Rejects if an invariant is violated. */
  check(input: Input, world: World): Promise<void>
}

export type Target = FunctionTarget | AsyncTarget | ServerTarget

/** Declares a target whose inputs have one type. */
export function functionTarget<Input>(target: Omit<FunctionTarget<Input>, 'kind'>): Target {
  return { ...target, kind: 'function' } as FunctionTarget
}

export function asyncTarget<Input>(target: Omit<AsyncTarget<Input>, 'kind'>): Target {
  return { ...target, kind: 'async' } as AsyncTarget
}

export function serverTarget<Input>(target: Omit<ServerTarget<Input>, 'kind'>): Target {
  return { ...target, kind: 'server' } as ServerTarget
}
