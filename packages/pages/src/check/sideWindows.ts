import { pageFile, projectPath } from '../files.ts'
import { textOf } from '../parse/nodes.ts'
import { at, type Context } from './context.ts'

/** Checks that a side window shows a page file of the project, given with or without extension (pages-json §2.13). */
export function checkSideWindows({ model, files, report, platforms }: Context): void {
  const affected = platforms.filter((platform) => platform === 'H5')
  for (const { name, node } of model.windows) {
    const path = textOf(node, 'path')
    if (path === undefined || path.value === '') {
      const place = path ? at(path) : { offset: node.offset, length: 1 }
      report(
        {
          code: 'window-incomplete',
          ...place,
          message: `${name} has no content: set "path" to a page file (pages-json §2.13).`,
        },
        affected,
      )
    } else if (files) {
      const file = projectPath(path.value)
      if (files.exists(file) || pageFile(files, file)) continue
      report(
        {
          code: 'window-file-missing',
          ...at(path),
          message: `The file "${file.slice(0, 120)}" of ${name} does not exist: create it, or correct the path.`,
        },
        affected,
      )
    }
  }
}
