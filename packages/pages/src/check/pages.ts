import { type Files, isNvue, pageExtensions, pageFile, withoutExtension } from '../files.ts'
import { isInvalidPath, type PageEntry, platformObjects, subPackagesOf, trimPath, windowNames } from '../model.ts'
import { propertyOf, textOf } from '../parse/nodes.ts'
import { attributesOf } from '../rules/attributes.ts'
import { at, type Context, type PageCheck } from './context.ts'

/** Checks that there is at least one page (pages-json §2.1). */
export function checkPagesNotEmpty({ model, report }: Context): void {
  const pages = propertyOf(model.root, 'pages')
  if (pages?.value.kind !== 'list' || pages.value.items.length > 0) return
  report({
    code: 'pages-empty',
    ...at(pages.key),
    message: '"pages" is empty: add at least one page. The first one is the launch page (pages-json §2.1).',
  })
}

/** Checks that each page is listed once, in `pages` or in a subpackage. */
export function checkDuplicates({ model, report }: Context): void {
  for (const page of model.pages) {
    const first = model.byPath.get(page.path)!
    if (first === page) continue
    const through = page.root === undefined ? '' : ` through the subpackage "${page.root}"`
    report({
      code: 'page-duplicate',
      ...at(page.pathNode),
      message: `The page "${page.path}" is listed twice${through}: only the first entry counts. Remove one of the two.`,
      related: [{ ...at(first.pathNode), message: 'The page is first listed here.' }],
    })
  }
}

/** Checks the form of a page path: from the project root, without extension, pages/<dir>/<name> (pages-json §2.2). */
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
        'The path is empty: write the path of the page file from the project root, as in "pages/index/index" (pages-json §2.2).',
    })
  } else if (/\.(?:vue|nvue|uvue|html|js|ts)$/.test(written.trim())) {
    report({
      code: 'page-path',
      ...at(pathNode),
      message: `A page path has no file extension (pages-json §2.2): write "${better}".`,
      fix,
    })
  } else if (isInvalidPath(written.replace(/^\.\//, ''))) {
    report({
      code: 'page-path',
      ...at(pathNode),
      message: `"${written.slice(0, 80)}" is not a valid page path: write it from the project root, with single slashes and without "..", "?", "#" or spaces around names (pages-json §2.2).`,
      ...(!isInvalidPath(better) && { fix }),
    })
  } else if (better !== written) {
    report({
      code: 'page-path-form',
      ...at(pathNode),
      message: `A page path has no leading slash or "./" (pages-json §2.2): write "${better}".`,
      fix,
    })
  } else if (root === undefined && !/^pages\/[^/]+\/[^/]+$/.test(path)) {
    report({
      code: 'page-path-form',
      ...at(pathNode),
      message: `Page paths have the form pages/<dir>/<name> (pages-json §2.2); "${path.slice(0, 80)}" works too.`,
    })
  }
}

/** Checks that the root of a subpackage is a valid folder, because the paths of its pages begin with it. */
export function checkPackageRoots({ root, report }: Context): void {
  for (const item of subPackagesOf(root)) {
    const folder = textOf(item, 'root')
    if (folder === undefined || (folder.value !== '' && !isInvalidPath(folder.value.replace(/^\.\//, '')))) continue
    report({
      code: 'page-path',
      ...at(folder),
      message: `"${folder.value.slice(0, 80)}" is not a valid root of a subpackage: write the folder of its pages from the project root, as in "shop".`,
    })
  }
}

/** Checks that each page has a file (pages-json §2.2). */
export const checkPageFile: PageCheck = ({ files, report, suggest }) => {
  const extensions = pageExtensions.map((extension) => `.${extension}`)
  const kinds = new Intl.ListFormat('en', { type: 'disjunction' }).format(extensions)
  return (_, page) => {
    if (files === undefined || page === undefined || page.path === '' || pageFile(files, page.path) !== undefined)
      return
    const { path, pathNode } = page
    // A path with an extension is already reported.
    if (pageFile(files, withoutExtension(path)) !== undefined) return
    const suggestion = nearestPage(files, path, suggest)
    report({
      code: 'page-file-missing',
      ...at(pathNode),
      message: `The page "${path.slice(0, 120)}" has no file: there is no ${kinds} file at this path${suggestion ? `, but there is "${suggestion}".` : '. Create it, or correct the path.'}`,
      ...(suggestion &&
        page.root === undefined && {
          fix: { title: `Write "${suggestion}"`, edits: [{ ...at(pathNode), text: JSON.stringify(suggestion) }] },
        }),
    })
  }
}

/** Returns the path of an existing page whose folders and name are spelled almost like those of a path. */
function nearestPage(files: Files, path: string, suggest: Context['suggest']): string | undefined {
  const { list } = files
  const all = path.split('/')
  if (list === undefined || all.length > 20) return undefined
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  let found = list(folder.slice(0, -1)).length > 0 ? folder : ''
  const parts = found === '' ? all : all.slice(-1)
  for (const [index, part] of parts.entries()) {
    const entries = list(found.slice(0, -1))
    const isLast = index === parts.length - 1
    const names = isLast
      ? entries.flatMap((entry) => (withoutExtension(entry) === entry ? [] : withoutExtension(entry)))
      : entries
    const name = names.includes(part) ? part : suggest(part, new Set(names))
    if (name === undefined) return undefined
    found += isLast ? name : `${name}/`
  }
  return found
}

/** Reports attributes of `app-plus` that nvue pages do not support (pages-json §2.5). */
export const checkNvueAttributes: PageCheck =
  ({ files, report }) =>
  (style, page) => {
    if (page === undefined || !isNvue(files, page.path)) return
    const written = platformObjects(style, 'App').flatMap(({ node }) => node.properties)
    for (const { key } of written) {
      if (nvueAttributes.has(key.value) || !attributesOf('appPlus').has(key.value)) continue
      report({
        code: 'page-nvue-attribute',
        ...at(key),
        message: `"${key.value.slice(0, 60)}" has no effect: nvue pages support only titleNView, pullToRefresh and scrollIndicator (pages-json §2.5).`,
      })
    }
  }

const nvueAttributes = new Set(['titleNView', 'pullToRefresh', 'scrollIndicator'])

const windows = new Set<string>(windowNames)

/** Reports a switch for a side window that the file does not define (pages-json §2.4, §2.13). */
export function checkWindowSwitches({ model, report }: Context): void {
  const defined = new Set<string>(model.windows.map(({ name }) => name))
  for (const style of [model.globalStyle, ...model.pages.map((page) => page.style)]) {
    for (const { key, value } of style?.properties ?? []) {
      if (value.kind !== 'boolean' || !windows.has(key.value) || defined.has(key.value)) continue
      report(
        {
          code: 'window-absent',
          ...at(key),
          message: `The file does not define ${key.value}, so this switch has no effect (pages-json §2.13).`,
        },
        ['H5'],
      )
    }
  }
}
