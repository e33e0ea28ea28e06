import { isNvue, pageExtensions, pageFile, withoutExtension } from '../files.ts'
import { isInvalidPath, objectOf, type PageEntry, subPackagesOf, trimPath, windowNames } from '../model.ts'
import { propertyOf, textOf } from '../parse/nodes.ts'
import { at, type Context, type PageCheck } from './context.ts'

/** §2.1: `pages` is required; without one there is nothing to start. */
export function checkPagesNotEmpty({ model, report }: Context): void {
  const pages = propertyOf(model.root, 'pages')
  if (pages?.value.kind !== 'list' || pages.value.items.length > 0) return
  report({
    code: 'pages-empty',
    ...at(pages.key),
    message: '"pages" is empty: it takes at least one page, and the first one is the launch page (§2.1).',
  })
}

/** Every page is listed once, whether in `pages` or through the root of a subpackage. */
export function checkDuplicates({ model, report }: Context): void {
  for (const page of model.pages) {
    const first = model.byPath.get(page.path)!
    if (first === page) continue
    const through = page.root === undefined ? '' : ` through the subpackage "${page.root}"`
    report({
      code: 'page-duplicate',
      ...at(page.pathNode),
      message: `The page "${page.path}" is listed twice${through}: the first one counts. Remove one of the two.`,
      related: [{ ...at(first.pathNode), message: 'It is listed here first.' }],
    })
  }
}

/** §2.2: a path from the project root, without extension, of the form pages/<dir>/<name>. */
export const checkPath: PageCheck = (context) => (_, page) => {
  if (page === undefined) return
  const usual = page.root === undefined ? /^pages\/[\w-]+\/[\w-]+$/ : /^[\w-]+(?:\/[\w-]+)*$/
  if (!usual.test(page.pathNode.value)) checkUnusualPath(context, page)
}

function checkUnusualPath({ report }: Context, { path, pathNode, root }: PageEntry): void {
  const written = pathNode.value
  const better = trimPath(
    written
      .trim()
      .replaceAll('\\', '/')
      .replace(/\/{2,}/g, '/'),
  ).replace(/\.(?:vue|nvue|uvue|html|js|ts)$/, '')
  const fix = { title: `Write "${better}"`, edits: [{ ...at(pathNode), text: JSON.stringify(better) }] }
  if (better === '') {
    report({
      code: 'page-path',
      ...at(pathNode),
      message:
        'The path is empty: write the path of the page file from the project root, as in "pages/index/index" (§2.2).',
    })
  } else if (/\.(?:vue|nvue|uvue|html|js|ts)$/.test(written.trim())) {
    report({
      code: 'page-path',
      ...at(pathNode),
      message: `A page path has no file extension (§2.2): write "${better}".`,
      fix,
    })
  } else if (isInvalidPath(written.replace(/^\.\//, ''))) {
    report({
      code: 'page-path',
      ...at(pathNode),
      message: `"${written.slice(0, 80)}" cannot be the path of a page: write it from the project root with single slashes and without spaces, "..", "?" or "#" (§2.2).`,
      ...(!isInvalidPath(better) && { fix }),
    })
  } else if (better !== written) {
    report({
      code: 'page-path-form',
      ...at(pathNode),
      message: `A page path starts at the project root without a slash or "./" (§2.2): write "${better}".`,
      fix,
    })
  } else if (root === undefined && !/^pages\/[^/]+\/[^/]+$/.test(path)) {
    report({
      code: 'page-path-form',
      ...at(pathNode),
      message: `The document gives page paths the form pages/<dir>/<name> (§2.2); "${path.slice(0, 80)}" works all the same.`,
    })
  }
}

/** The root of a subpackage is the beginning of its pages' paths. */
export function checkPackageRoots({ root, report }: Context): void {
  for (const item of subPackagesOf(root)) {
    const folder = textOf(item, 'root')
    if (folder === undefined || (folder.value !== '' && !isInvalidPath(folder.value.replace(/^\.\//, '')))) continue
    report({
      code: 'page-path',
      ...at(folder),
      message: `"${folder.value.slice(0, 80)}" cannot be the root of a subpackage: write the folder of its pages from the project root, as in "shop".`,
    })
  }
}

/** §2.2: every page has its file. */
export const checkPageFile: PageCheck = ({ files, report, suggest }) => {
  const kinds = pageExtensions.map((extension) => `.${extension}`).join(', ')
  return (_, page) => {
    if (files === undefined || page === undefined || page.path === '' || pageFile(files, page.path) !== undefined)
      return
    const { path, pathNode } = page
    // That an extension stands there is said already.
    if (pageFile(files, withoutExtension(path)) !== undefined) return
    // Not by a pattern: a path may hold anything, line breaks too.
    const slash = path.lastIndexOf('/')
    const folder = path.slice(0, slash + 1)
    const name = path.slice(slash + 1)
    const beside = (files.list?.(folder.slice(0, -1)) ?? []).flatMap((file) =>
      withoutExtension(file) === file ? [] : withoutExtension(file),
    )
    const meant = suggest(name, new Set(beside))
    report({
      code: 'page-file-missing',
      ...at(pathNode),
      message: `The page "${path.slice(0, 120)}" has no file: there is none of ${kinds} with this path${meant ? `, but there is "${folder}${meant}".` : '. Create it, or correct the path.'}`,
    })
  }
}

/** §2.5: a page rendered natively supports only three attributes of `app-plus`. */
export const checkNvueAttributes: PageCheck =
  ({ files, report }) =>
  (style, page) => {
    const appPlus = page && objectOf(style, 'app-plus')
    if (appPlus === undefined || !isNvue(files, page!.path)) return
    for (const { key } of appPlus.properties) {
      if (nvueAttributes.has(key.value)) continue
      report({
        code: 'page-nvue-attribute',
        ...at(key),
        message: `"${key.value.slice(0, 60)}" has no effect: a page rendered natively (nvue) supports only titleNView, pullToRefresh and scrollIndicator (§2.5).`,
      })
    }
  }

const nvueAttributes = new Set(['titleNView', 'pullToRefresh', 'scrollIndicator'])

const windows = new Set<string>(windowNames)

/** §2.4, §2.13: a switch of a side window does something only where the file has that window. */
export function checkWindowSwitches({ model, report }: Context): void {
  const there = new Set<string>(model.windows.map(({ name }) => name))
  for (const style of [model.globalStyle, ...model.pages.map((page) => page.style)]) {
    for (const { key, value } of style?.properties ?? []) {
      if (value.kind !== 'boolean' || !windows.has(key.value) || there.has(key.value)) continue
      report(
        {
          code: 'window-absent',
          ...at(key),
          message: `The file has no ${key.value}, so that there is nothing to show or hide (§2.13).`,
        },
        ['H5'],
      )
    }
  }
}
