import type {
  AnswerEntry,
  CallEntry,
  InspectionEntry,
  PagesEntry,
  RequestEntry,
  ResponseEntry,
} from '@souk/contract/inspection'

/** What was recorded between a start of the mini app and the next one. */
export interface RecordedLaunch {
  entries: readonly InspectionEntry[]
  calls: readonly { call: CallEntry; answer: AnswerEntry | undefined }[]
  requests: readonly { request: RequestEntry; response: ResponseEntry | undefined }[]
  /** The storage soon after the start. */
  storage: [key: string, data: string][]
  /** The first page. */
  start: { path: string; query: Record<string, string> } | undefined
}

/** Returns the launches of a recording; the first of an inspection is none, because it began before. */
export function launchesOf(entries: readonly InspectionEntry[]): RecordedLaunch[] {
  const parts: InspectionEntry[][] = []
  for (const entry of entries) {
    if (entry.kind === 'start') parts.push([])
    parts.at(-1)?.push(entry)
  }
  return parts.filter(isWhole).map(launchOf)
}

/**
 * Checks if a part begins with a launch. If the mini app already ran when it began to be inspected, its launch was
 * before. A host may start it again just before it inspects it, but a mini app does nothing until it is welcomed.
 */
function isWhole([start, ...rest]: readonly InspectionEntry[]): boolean {
  const marks = rest.filter((entry) => entry.kind === 'mark')
  return (
    start?.kind === 'start' &&
    marks.length > 0 &&
    !marks.some((entry) => entry.mark === 'welcome' && entry.time < start.time)
  )
}

function launchOf(entries: readonly InspectionEntry[]): RecordedLaunch {
  const kindOf = <K extends InspectionEntry['kind']>(kind: K) =>
    entries.filter((entry): entry is Extract<InspectionEntry, { kind: K }> => entry.kind === kind)
  const answers = new Map(kindOf('answer').map((answer) => [answer.id, answer]))
  const responses = new Map(kindOf('response').map((response) => [response.id, response]))
  return {
    entries,
    calls: kindOf('call').map((call) => ({ call, answer: answers.get(call.id) })),
    requests: kindOf('request').map((request) => ({ request, response: responses.get(request.id) })),
    storage: (kindOf('storage')[0]?.items ?? []).map(({ key, text }) => [key, text]),
    start: startOf(kindOf('pages').find(({ pages }) => pages.length > 0)),
  }
}

function startOf(first: PagesEntry | undefined): RecordedLaunch['start'] {
  const page = first?.pages.at(-1)
  return page && { path: page.path, query: Object.fromEntries(new URLSearchParams(page.query)) }
}
