/** A reason with which functions fail. `errMsg` is `<function>:fail <reason>`. */
interface Failure {
  /** Parts in angle brackets depend on the call. */
  readonly reason: string
  readonly when: string
  /** What to do. */
  readonly fix: string
}

const one = (reason: string, when: string, fix: string): Failure => ({ reason, when, fix })

/** Failures of functions, by the name that entries of the table refer to. */
export const failures = {
  parameterError: one(
    'parameter error: parameter.<name> should be <Type> instead of <Type>',
    'An argument is missing or has another type.',
    'Pass an argument of the type.',
  ),
  notSupported: one(
    'not supported',
    'The platform, the browser or the host does not have it.',
    'Ask `canIUse` before you call it, and offer another way.',
  ),
  refused: one('the user refused', 'The user has denied it.', 'Continue without it, and let the user start it again.'),
  inBackground: one(
    'the mini app is not in the foreground',
    'The user has left the mini app, or the host asks something else.',
    'Call it after the user has tapped something.',
  ),
  canceled: one('cancel', 'The user has closed it without a choice.', 'Stay on the page: it is not an error.'),
  notApproved: one(
    'the host <host> is not approved for <purpose> of this mini app: …',
    'The mini app may not reach this host.',
    'Request it in the settings of the mini app in the console ([hosts](/guides/releases.md#hosts)).',
  ),
  pageMissing: one(
    'page "<path>" is not found',
    'pages.json does not have the page.',
    'Check the path, which begins with a slash, and add the page to pages.json.',
  ),
  pageIsTab: one('can not <function> a tabbar page', 'The page is a tab.', 'Use `switchTab`.'),
  pageIsNoTab: one(
    'can not switch to no-tabBar page',
    'The page is not in the list of the tab bar.',
    'Use `navigateTo`, or add it to `tabBar.list` of pages.json.',
  ),
  pageOpening: one(
    '"<url>" is already being opened',
    'The same call is still running, such as after a double tap.',
    'Ignore it: the page opens once.',
  ),
  firstPage: one(
    'cannot navigate back at first page',
    'There is no page below.',
    'Use `reLaunch`, or `exitMiniProgram` to leave the mini app.',
  ),
  pageKept: one('onBackPress', 'The hook `onBackPress` of the page returned true.', 'Nothing: the page wants to stay.'),
  noTabBar: one('the app has no tab bar', 'pages.json has no `tabBar`.', 'Add a `tabBar`, or leave the call out.'),
  noTab: one(
    'tabbar item not found',
    'There is no tab with this index.',
    'Use an index from 0 to the number of tabs - 1.',
  ),
  noWindow: one(
    'the app has no <window>',
    'pages.json has no such window.',
    'Add it to pages.json, or leave the call out.',
  ),
  colorWrong: one(
    'invalid frontColor "<color>": must be #ffffff or #000000',
    'The texts of the bar are white or black.',
    'Use one of them, whichever is readable on the background.',
  ),
  noPosition: one('scrollTop or selector is required', 'Neither is given.', 'Pass one of them.'),
  noElement: one(
    'no element matches <selector>',
    'The page has no such element.',
    'Call it after the element is drawn.',
  ),
  timeout: one('timeout', 'There was no answer within `timeout`.', 'Try again, and tell the user if it fails again.'),
  aborted: one('abort', '`abort()` of the task was called.', 'Nothing: your code has asked for it.'),
  unreachable: one(
    'the server cannot be reached',
    'There is no network, no such server, or its headers do not allow the request.',
    'Check the address, the certificate and `Access-Control-Allow-Origin`.',
  ),
  noConnection: one(
    'the connection is not open',
    'There is no connection, or it is not open yet or any more.',
    'Wait for `onSocketOpen`.',
  ),
  keyWrong: one('key must be a non-empty string', 'The key is empty or not a text.', 'Use a text as key.'),
  notJson: one(
    'data cannot be converted to JSON',
    'The value contains itself, or something like a function.',
    'Store plain objects, lists, texts, numbers and booleans.',
  ),
  dataMissing: one('data not found', 'Nothing is stored at this key.', 'Use a default value.'),
  entryLarge: one('the entry exceeds 1 MB', 'One value is too large.', 'Store less, or use a file.'),
  storageFull: one(
    'the storage is full: the limit is 10 MB',
    'All values of the mini app are too large together.',
    'Remove what is not needed any more.',
  ),
  fileMissing: one(
    'no such file "<path>"',
    'There is no file at this path.',
    'List the files with `getSavedFileList`.',
  ),
  fileUnreadable: one(
    'the file cannot be read: HTTP <status>',
    'The address gives no file.',
    'Check the path or address, and that a temporary file is not one of an earlier run.',
  ),
  fileForbidden: one(
    'permission denied, "<path>" is not below env.USER_DATA_PATH',
    'Files are kept below this path only.',
    'Begin the path with `neu.env.USER_DATA_PATH`.',
  ),
  filesFull: one(
    'the files are full: the limit is <limit>',
    'The mini app keeps 1,000 files or 10 MB.',
    'Remove files that are not needed any more.',
  ),
  fileKindWrong: one(
    'the file is not of the type <type>',
    'The file is not an image or not a video.',
    'Use the function for its type.',
  ),
  videoUnreadable: one('the video cannot be read', 'The browser cannot play it.', 'Use H.264 in MP4.'),
  canvasMissing: one(
    'the page has no canvas with the canvas-id "<id>"',
    'The canvas is not on the page on top.',
    'Call it after the canvas is drawn, and pass the component if it is in one.',
  ),
  canvasUnreadable: one(
    'the canvas cannot be read',
    'An image of another origin was drawn on it.',
    'Load images with `crossOrigin`, from a server that allows it.',
  ),
  fontWrong: one('source must be url("…")', 'The source is not an address of CSS.', 'Write `url("https://…")`.'),
  noField: one(
    'no field with a text has the focus',
    'No field of the page has the focus.',
    'Call it while the user writes.',
  ),
  noImages: one('urls is empty', 'There is nothing to show.', 'Pass at least one address.'),
  noImage: one('imageUrl is missing', 'A picture is to be shared, and there is none.', 'Pass `imageUrl`.'),
  noAddress: one('url is missing', 'Neither `url` nor `identity` is given.', 'Pass one of them.'),
  notAfterTap: one(
    'only after the user has tapped or pressed a key',
    'The user has done nothing in the last seconds.',
    'Call it in the handler of a tap.',
  ),
  tradeMissing: one(
    'tradeNo is missing',
    'There is no number of a trade.',
    'Create a trade in your backend, and pass its `tradeNo`.',
  ),
  capabilityMissing: one(
    'Enable the capability <capability> of the mini app <appid>.',
    'The mini app does not have the capability.',
    'Request it in the settings of the mini app in the console.',
  ),
  scopesUnknown: one(
    'none of the scopes is known; there are <scopes>',
    'The installation has none of these scopes.',
    'Use scopes that the operator has defined, such as `user.info`.',
  ),
  functionUndeclared: one(
    'it is not in host-functions.json',
    'The project does not declare the function.',
    'Add it with `souk functions add` ([guide](/guides/host-functions.md)).',
  ),
  functionNotGranted: one(
    'the mini app may not call it: the review of a release that asks for it grants it',
    'The release was not granted the function.',
    'Upload a release that asks for it, and let it be reviewed.',
  ),
} satisfies Record<string, Failure>

export type FailureName = keyof typeof failures
