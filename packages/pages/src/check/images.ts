import type { Platform } from '../diagnostic.ts'
import { projectPath, schemeOf } from '../files.ts'
import { objectOf } from '../model.ts'
import { itemsOf, type ObjectNode, type StringNode, textOf, valueAt } from '../parse/nodes.ts'
import { at, type Context, type PageCheck } from './context.ts'

const iconLimit = 40 * 1024

/** The end of a file name that is no image's, and the part of Unicode that fonts put icons in. */
const noImage = /\.(?!(?:png|jpe?g|gif|webp|svg|bmp|ico|avif)$)\w+$|[\ue000-\uf8ff]/i

/** §2.7: tab icons are files of the project, of at most 40 KB; neither from the network nor font icons. */
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
        'A tab icon is an image file of the project; network images are not supported (§2.7). Save it under "static/" and write its path.',
    })
    return
  }
  if (noImage.test(icon.value)) {
    context.report({
      code: 'tab-icon-form',
      ...at(icon),
      message:
        'A tab icon is an image file (§2.7): write the path of one, as in "static/home.png". A font icon stands in "iconfont".',
    })
    return
  }
  checkFile(context, icon, 'image')
  const size = context.files?.size?.(projectPath(icon.value))
  if (size !== undefined && size > iconLimit) {
    context.report({
      code: 'tab-icon-size',
      ...at(icon),
      message: `This icon has ${Math.ceil(size / 1024)} KB; 40 KB are allowed (§2.7). A size of 81px by 81px is recommended.`,
    })
  }
}

/** §2.6: images and fonts of the bar are files of the project; network fonts are not supported (§2.6.1). */
export function checkBarFiles(context: Context, bar: ObjectNode, node: 'app-plus' | 'h5'): void {
  const background = textOf(bar, 'backgroundImage')
  if (background && !/gradient/i.test(background.value)) checkFile(context, background, 'image')
  checkFile(context, textOf(bar, 'titleIcon'), 'image')
  const concerned = context.platforms.filter((platform) => node === 'app-plus' || platform === 'H5')
  for (const button of itemsOf(bar, 'buttons')) checkFile(context, textOf(button, 'fontSrc'), 'font', concerned)
}

/** §2.3: `titleImage` is an "address": it may come from the network; a file has to exist. */
export const checkTitleImageFile: PageCheck = (context) => (style) => {
  const image = textOf(style, 'titleImage')
  if (image && !schemeOf(image.value)) checkFile(context, image, 'image')
}

function checkFile(
  { files, report, platforms }: Context,
  file: StringNode | undefined,
  what: 'image' | 'font',
  concerned: readonly Platform[] = platforms,
): void {
  if (file === undefined || file.value === '') return
  const scheme = schemeOf(file.value)
  if (scheme) {
    const code = what === 'font' ? 'font-network' : 'image-network'
    const message = `The ${what} has to be a file of the project; network addresses are not supported (§2.6). Save it under "static/" and write its path.`
    if (scheme === 'network' || what === 'font') report({ code, ...at(file), message }, concerned)
  } else if (files !== undefined && !files.exists(projectPath(file.value))) {
    report(
      { code: 'image-missing', ...at(file), message: `"${file.value.slice(0, 120)}" is not in the project.` },
      concerned,
    )
  }
}

/** §2.7: font icons of tabs. */
export function checkTabFontIcons(context: Context): void {
  const midButton = objectOf(context.model.tabBar, 'midButton')
  for (const holder of [...context.model.tabs, midButton]) {
    for (const key of ['text', 'selectedText']) checkFontIcon(context, textOf(valueAt(holder, 'iconfont'), key), true)
  }
}

/** How a font icon is written elsewhere: "\\e600", "&#xe600;", and "\f015", which JSON reads as a form feed and three digits. */
const foreignIcon = /^(?:\\+u?|&#x)([ef][\da-f]{3});?$|^\f([\da-f]{3})$/i
/** Its code alone. */
const bareIcon = /^(?=.*\d)([ef][\da-f]{3})$/i

/**
 * §2.6.1, §2.7: a font icon is written \u…; \e… is a form of style sheets. What JSON itself refuses, the parser has reported. `isIcon`: nothing
 * but an icon may stand here.
 */
export function checkFontIcon({ report }: Context, icon: StringNode | undefined, isIcon = false): void {
  if (icon === undefined) return
  const code = foreignIcon.exec(icon.value) ?? (isIcon ? bareIcon.exec(icon.value) : null)
  if (code === null) return
  const digits = code[1] ?? `f${code[2]}`
  report({
    code: 'icon-escape',
    ...at(icon),
    message: `A font icon is written "\\u${digits}", with one backslash and u (§2.6.1); this is shown as plain text.`,
    fix: { title: `Write "\\u${digits}"`, edits: [{ ...at(icon), text: `"\\u${digits}"` }] },
  })
}
