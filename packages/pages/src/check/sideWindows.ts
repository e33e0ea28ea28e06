import { pageFile, projectPath } from '../files.ts'
import { textOf } from '../parse/nodes.ts'
import { at, type Context } from './context.ts'

/** §2.13: a side window shows a page file of the project, with or without its extension. */
export function checkSideWindows({ model, files, report, platforms }: Context): void {
  const concerned = platforms.filter((platform) => platform === 'H5')
  for (const { name, node } of model.windows) {
    const path = textOf(node, 'path')
    if (path === undefined || path.value === '') {
      const place = path ? at(path) : { offset: node.offset, length: 1 }
      report(
        {
          code: 'window-incomplete',
          ...place,
          message: `${name} has nothing to show: give it the "path" of a page file (§2.13).`,
        },
        concerned,
      )
    } else if (files) {
      const file = projectPath(path.value)
      if (files.exists(file) || pageFile(files, file)) continue
      report(
        {
          code: 'window-file-missing',
          ...at(path),
          message: `There is no file "${file.slice(0, 120)}" for ${name}: create it, or correct the path.`,
        },
        concerned,
      )
    }
  }
}
