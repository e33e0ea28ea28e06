import { expect, test } from 'vitest'
import { operations } from './openapi.ts'

/**
 * Lists in results that have neither pages nor `maxItems`, with their bound and what enforces it. A list that grows
 * with the installation must have pages instead.
 */
const bounds: Record<string, string> = {
  // Settings, whose parameters or additions are limited.
  'createDataset fields': 'datasetLimits.fields; those of built-in datasets are in the code',
  listSignInIssuers: '100 issuers: issuer_limit_reached',
  'listMiniApps items[].keywords': 'maxKeywords: keywords of updateApp',
  'listMiniApps items[].tabs': '10: tabs.ts reads no more',
  'listMiniApps items[].releases': 'maxReleases: release_limit_reached',
  'listMiniApps pages': '50: listMiniApps.ts lists no more',
  'getConsent scopes': 'built-in scopes, and 20 others: user_scope_limit_reached',
  listOwnScopes: '20 scopes: user_scope_limit_reached',
  'listOwnScopes [].values': 'maxFields: fields of putUserScope',
  listFunctionsOfHost: '100 functions: host_function_limit_reached',
  listServiceAccounts: '50: service_account_limit_reached',
  'listApps items[].capabilities': 'capabilities',
  'getApp callbackHosts': '20: callbackHosts of updateApp',
  'getApp keywords': 'maxKeywords: keywords of updateApp',
  'getApp changes': 'one per kind: the index change_requests_pending',
  'listAlertRules rules': 'maxAlertRules: alert_rule_limit_reached',
  'listAlertRules rules[].accountIds': '50: accountIds of createAlertRule',
  'listTesters uids': 'maxTesters: uids of setTesters',
  'submitRelease screenshots': 'maxScreenshots: screenshots of submitRelease',
  'submitRelease reasons': 'maxReasons: reasons of rejectRelease',
  'startCanary uids': 'maxCanaryUsers: uids of startCanary',
  'startCanary languages': 'maxCanaryLanguages: languages of startCanary',
  listReleases: 'maxReleases: release_limit_reached',
  getRouting: '50: rules of setRouting',
  setRouting: '50: rules of setRouting',
  listIssuers: '100: issuer_limit_reached',
  'listIssuers [].signIn.scopes': '20: scopes of addIssuer',
  listUserScopes: '20: user_scope_limit_reached',
  listHostFunctions: '100: host_function_limit_reached',
  listCustomEvents: '50: custom_event_limit_reached',
  'getCustomEventCounts funnels': '10: funnel_limit_reached',
  'getSignOn providers': '20: sign_on_provider_limit_reached',
  listSignOnProviders: '20: sign_on_provider_limit_reached',
  'listSignOnProviders [].scopes': '20: scopes of addSignOnProvider',
  'listSignOnProviders [].roles': '200: roles of addSignOnProvider',
  listEventEndpoints: 'maxEventEndpoints: event_endpoint_limit_reached',
  'getFactors passkeys': 'maxPasskeys: passkey_limit_reached',
  'addPasskey recoveryCodes': 'recoveryCodeCount',
  listSessions: '100: insertSession ends the oldest',

  // A fixed number of newest rows.
  inbox: 'the page size of listInbox, after `before`',
  home: '100: listActivities reads no more',
  listCards: '50: deleteOldCards deletes older ones',
  'getMail problems': '20: manageMail.ts reads no more',
  'listAlertRules alerts': '50: listAlerts reads no more',
  listReleaseHealth: '20: listReleaseHealth.ts reads no more',
  listCanaries: '20: listCanaryRows reads no more',
  'listIncidents receivers': '10: listIncidents.ts keeps no more',
  'listIncidents receivers[].receivers': '50: listUnacknowledged reads no more',
  'listIncidents receivers[].paid': 'currencies',
  'listIncidents wrongSigns': '10: listIncidents.ts reads no more',
  'listIncidents releases': '10: listIncidents.ts keeps no more',
  listAppFigures: '50: listAppFigures.ts reads no more',
  'search projects': '5: search.ts reads no more of a kind',
  'search apps': '5',
  'search trades': '5',
  'search callbacks': '5',
  'search requests': '5',
  'search users': '5',
  sandboxInbox: 'as inbox',
  sandboxHome: 'as home',
  'moveClock moves': 'maxClockMoves: older ones are deleted',
  'getKeyRing keys': '100: getKeyRing.ts keeps no more',
  'getKeyRing unreadable': '100: listUnreadable reads no more',
  'getKeyRing missing': 'keys of the 100 that unreadable lists',

  // Rows of a range of time that is limited, or of names that are.
  'getAnalytics series': 'an hour or day of at most 365 days',
  'getAnalytics cohorts': 'cohortWeeks: getAnalytics shows no more',
  'getAnalytics cohorts[].users': 'weeks, too',
  'getAnalytics pages': '50: listNames reads no more',
  'getAnalytics cards': '50',
  'getAnalytics requests': '50',
  'getAnalytics failures': '50',
  'getAnalytics errors': '50: listErrors reads no more',
  'getAnalytics releases': 'maxReleases: release_limit_reached',
  'getAnalytics money': 'currencies',
  'getCustomEventCounts events': '1000 of all kinds: listCustomNames reads no more',
  'getCustomEventCounts values': '1000 of all kinds',
  'getCustomEventCounts sums': '1000 of all kinds',
  'getCustomEventCounts refused': '1000 of all kinds',
  'getCustomEventCounts funnels[].current': 'steps of the funnel',
  'getCustomEventCounts funnels[].previous': 'steps of the funnel',
  'getCustomEventCounts funnels[].days': 'days of the period',
  'getCustomEventCounts funnels[].days[].reached': 'steps of the funnel',
  'getCustomEventSeries series': 'days of the period, or 24 hours',
  'tradeTotals rows': '92 days, with a row per status and currency',
  'listProjectFigures items[].sales': 'currencies',
  'listAppFigures [].live': 'platforms',
  'listAppFigures [].sales': 'currencies',

  // Whose rows are summed up where they are shown.
  ledgerBalances: 'a row per mini app of a project and currency',

  // Contents of one release.
  'getErrorStack frames': '60: stack.ts keeps no more',
  'getReview history': 'steps of its reviews, which people made',
  'getReview files.added.files': '200: reviewRelease.ts keeps no more of a kind',
  'getReview files.changed.files': '200',
  'getReview files.removed.files': '200',
  'getReview pages.added': '1000 pages: manifest.ts',
  'getReview pages.removed': '1000 pages',
  'getReview approved.capabilities': 'capabilities',
  'getReview hostFunctions.requested': '100: manifest.ts',
  'getReview hostFunctions.granted': '100: host_function_limit_reached',
  'getReview changes': 'one per kind: the index change_requests_pending',

  // What belongs to one trade, callback or delivery, of which a user waits for each step.
  'getTrade events': 'states of one trade',
  'getTradeStory attempts': 'payment attempts of one user for one trade, until it expires',
  'getTradeStory callbacks': 'one per payment and refund of the trade',
  'getTradeStory callbacks[].attempts': 'the schedule of callback.ts, once more after each replay by a person',
  'getTradeStory refunds': 'refunds of one trade, of at least a cent each',
  'getTradeStory ledger': 'four per attempt and refund',
  'getTradeStory requests': '50: listRequestsOfTrade reads no more',
  'getTradeStory requests[].diagnosis.mistakes': 'mistakes that the diagnosis knows',
  'getTradeStory timeline': 'of all that the story lists',
  'testEventEndpoint attempts': 'the schedule of events, once more after each replay by a person',

  // Facts of the installation.
  listSecrets: 'those of one mini app that have not expired: rotateSecret deletes the others',
  examine: 'checks',
  'examine [].sentences': 'those that a check knows',
  'examine [].actions': 'those that a check knows',
  'getKeyRing processes': 'running processes: those that are silent are not listed',
  'getKeyRing processes[].keyIds': 'keys of the ring',
  listVersions: 'versions of Souk that ran on the database',

  // A user receives all of their own data, which only a stream could bound.
  ...Object.fromEntries(
    [
      'attributes',
      'consents',
      'openIds',
      'unionIds',
      'testerOf',
      'notifications',
      'activities',
      'messageLevels',
      'messageCounts',
      'cards',
      'feedback',
      'trades',
      'refunds',
      'events',
    ].map((name) => [`exportHostUser ${name}`, 'all data of one user, as the law demands']),
  ),
}

interface Schema {
  type?: string
  maxItems?: number
  enum?: unknown[]
  items?: Schema
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  allOf?: Schema[]
}

/** Returns the lists of a schema with their paths. */
function listsIn(schema: Schema, path = ''): { path: string; list: Schema }[] {
  if (schema.type === 'array') return [{ path, list: schema }, ...listsIn(schema.items ?? {}, `${path}[]`)]
  const { properties = {}, patternProperties = {}, additionalProperties, anyOf = [], allOf = [] } = schema
  return [
    ...Object.entries(properties).flatMap(([name, each]) => listsIn(each, path === '' ? name : `${path}.${name}`)),
    ...Object.values(patternProperties).flatMap((each) => listsIn(each, `${path}{}`)),
    ...(typeof additionalProperties === 'object' ? listsIn(additionalProperties, `${path}{}`) : []),
    ...[...anyOf, ...allOf].flatMap((each) => listsIn(each, path)),
  ]
}

/** Returns the names of the lists without pages, `maxItems` or an enumeration of items, by their schemas. */
function unboundedLists(): string[][] {
  const found = new Map<Schema, string[]>()
  for (const { id, parameters, result } of operations) {
    const hasPages = Object.hasOwn(parameters.properties, 'cursor')
    for (const { path, list } of listsIn(result as Schema)) {
      if ((hasPages && path === 'items') || list.maxItems !== undefined || list.items?.enum !== undefined) continue
      found.set(list, [...(found.get(list) ?? []), `${id} ${path}`.trim()])
    }
  }
  return [...found.values()]
}

test('every list of a result has pages, a stated maximum, or a bound that was reviewed', () => {
  const lists = unboundedLists()
  const isReviewed = (names: readonly string[]) => names.some((name) => Object.hasOwn(bounds, name))
  expect(lists.filter((names) => !isReviewed(names))).toEqual([])
  const names = new Set(lists.flat())
  expect(Object.keys(bounds).filter((name) => !names.has(name))).toEqual([])
})
