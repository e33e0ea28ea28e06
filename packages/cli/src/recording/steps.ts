import type { BarEntry, InspectedPage, InspectionEntry, TapEntry } from '@souk/contract/inspection'
import type { RecordedLaunch } from './launches.ts'

/** Something that the user has done. */
export type Action = TapEntry | BarEntry

/** What a mini app does after an action of the user, or after its launch. */
export interface Step {
  /** Undefined for the launch. */
  action: Action | undefined
  /** Time until the next action, or until the recording ends, in ms. */
  duration: number
  /** The page stack with which it ended; undefined if no page was shown. */
  stack: readonly StackPage[] | undefined
  /** True if only the path of the page on top is known. */
  isTopOnly: boolean
}

export type StackPage = Pick<InspectedPage, 'path' | 'query'>

/** Returns the steps of a launch; the first is the launch itself. */
export function stepsOf({ entries }: RecordedLaunch): Step[] {
  const times = entries.flatMap((entry) => ('time' in entry ? [entry.time] : []))
  const last = times.reduce((latest, time) => Math.max(latest, time), 0)
  const steps: Step[] = [{ action: undefined, duration: 0, stack: undefined, isTopOnly: false }]
  let began = times[0] ?? 0
  const end = (time: number) => {
    steps.at(-1)!.duration = Math.max(0, time - began)
    began = time
  }
  for (const entry of entries) {
    const step = steps.at(-1)!
    if (entry.kind === 'pages' && entry.pages.length > 0) step.stack = entry.pages
    if (!isAction(entry)) continue
    end(entry.time)
    // The page stack is reported with a delay, in which a quick user may act.
    if (entry.kind === 'tap' && entry.page !== step.stack?.at(-1)?.path) {
      step.stack = [{ path: entry.page, query: '' }]
      step.isTopOnly = true
    }
    steps.push({ action: entry, duration: 0, stack: step.isTopOnly ? undefined : step.stack, isTopOnly: false })
  }
  end(last)
  return steps
}

/** Returns the number of the step in which something was recorded. */
export function stepAt(steps: readonly Step[], time: number): number {
  return steps.filter(({ action }) => action && action.time <= time).length
}

const isAction = (entry: InspectionEntry): entry is Action => entry.kind === 'tap' || entry.kind === 'bar'
