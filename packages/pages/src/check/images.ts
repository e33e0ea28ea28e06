import type { Platform } from '../diagnostic.ts'
import { projectPath, schemeOf } from '../files.ts'
import { objectOf } from '../model.ts'
import { itemsOf, type ObjectNode, type StringNode, textOf, valueAt } from '../parse/nodes.ts'
import { at, type Context, type PageCheck } from './context.ts'

const iconLimit = 40 * 1024

/** Matches file extensions other than those of images, and the Unicode range of icon fonts. */
const notAnImage = /\.(?!(?:png|jpe?g|gif|webp|svg|bmp|ico|avif)$)\w+$|[\ue000-\uf8ff]/i

/** Checks that tab icons are image files of the project, of at most 40 KB (pages-json §2.7). */
export function checkTabImages(context: Context): void {
  const midButton = valueAt(context.model.tabBar, 'midButton')
  for (const key of ['iconPath', 'selectedIconPath']) {
    for (const tab of context.model.tabs) checkTabImage(context, textOf(tab, key))
  }
  checkTabImage(context, textOf(midButton, 'iconPath'))
  checkFile(context, textOf(midButton, 'backgroundImage'), 'image')
}

function checkTabImage(context: Context, icon: StringNode | undefined): void {
  if (icon === undefined || icon.value === '') return
  if (schemeOf(icon.value)) {
    context.report({
      code: 'tab-icon-network',
      ...at(icon),
      message:
        'A tab icon must be an image file of the project; network images are not supported (pages-json §2.7). Save it under "static/" and write its path.',
    })
    return
  }
  if (notAnImage.test(icon.value)) {
    context.report({
      code: 'tab-icon-form',
      ...at(icon),
      message:
        'A tab icon must be an image file (pages-json §2.7): write its path, as in "static/home.png". Font icons belong in "iconfont".',
    })
    return
  }
  checkFile(context, icon, 'image')
  const size = context.files?.size?.(projectPath(icon.value))
  if (size !== undefined && size > iconLimit) {
    context.report({
      code: 'tab-icon-size',
      ...at(icon),
      message: `This icon has ${Math.ceil(size / 1024)} KB; at most 40 KB are allowed (pages-json §2.7). The recommended size is 81px by 81px.`,
    })
  }
}

/** Checks that images and fonts of the bar are files of the project (pages-json §2.6, §2.6.1). */
export function checkBarFiles(context: Context, bar: ObjectNode, node: 'app-plus' | 'h5'): void {
  const background = textOf(bar, 'backgroundImage')
  if (background && !/gradient/i.test(background.value)) checkFile(context, background, 'image')
  checkFile(context, textOf(bar, 'titleIcon'), 'image')
  const affected = context.platforms.filter((platform) => node === 'app-plus' || platform === 'H5')
  for (const button of itemsOf(bar, 'buttons')) checkFile(context, textOf(button, 'fontSrc'), 'font', affected)
}

/** Checks that the file of `titleImage` exists. The image may also come from the network (pages-json §2.3). */
export const checkTitleImageFile: PageCheck = (context) => (style) => {
  const image = textOf(style, 'titleImage')
  if (image && !schemeOf(image.value)) checkFile(context, image, 'image')
}

function checkFile(
  { files, report, platforms }: Context,
  file: StringNode | undefined,
  what: 'image' | 'font',
  affected: readonly Platform[] = platforms,
): void {
  if (file === undefined || file.value === '') return
  const scheme = schemeOf(file.value)
  const path = projectPath(file.value)
  if (scheme) {
    const code = what === 'font' ? 'font-network' : 'image-network'
    const message = `The ${what} must be a file of the project; network addresses are not supported (pages-json §2.6). Save it under "static/" and write its path.`
    if (scheme === 'network' || what === 'font') report({ code, ...at(file), message }, affected)
  } else if (files !== undefined && (path.startsWith('../') || !files.exists(path))) {
    // A release contains no files from outside the project.
    report(
      {
        code: 'image-missing',
        ...at(file),
        message: `The file "${file.value.slice(0, 120)}" does not exist in the project.`,
      },
      affected,
    )
  }
}

/** Checks the font icons of tabs (pages-json §2.7). */
export function checkTabFontIcons(context: Context): void {
  const midButton = objectOf(context.model.tabBar, 'midButton')
  for (const owner of [...context.model.tabs, midButton]) {
    for (const key of ['text', 'selectedText']) checkFontIcon(context, textOf(valueAt(owner, 'iconfont'), key), true)
  }
}

/**
 * Font icons in other notations: "\\e600", "&#xe600;", and "\f015", which JSON reads as a form feed and three digits.
 */
const foreignIcon = /^(?:\\+u?|&#x)([ef][\da-f]{3});?$|^\f([\da-f]{3})$/i
/** The code of an icon without any notation. */
const bareIcon = /^(?=.*\d)([ef][\da-f]{3})$/i

/**
 * Checks that a font icon is written as `\u…` rather than in the notation of style sheets (pages-json §2.6.1, §2.7).
 * The parser reports escapes that are not valid in JSON. `isIcon`: the string must be an icon.
 */
export function checkFontIcon({ report }: Context, icon: StringNode | undefined, isIcon = false): void {
  if (icon === undefined) return
  const code = foreignIcon.exec(icon.value) ?? (isIcon ? bareIcon.exec(icon.value) : null)
  if (code === null) return
  const digits = code[1] ?? `f${code[2]}`
  report({
    code: 'icon-escape',
    ...at(icon),
    message: `Write this font icon as "\\u${digits}", with a single backslash (pages-json §2.6.1); otherwise it is shown as plain text.`,
    fix: { title: `Write "\\u${digits}"`, edits: [{ ...at(icon), text: `"\\u${digits}"` }] },
  })
}
