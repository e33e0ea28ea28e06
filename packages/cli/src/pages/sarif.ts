import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Code, codes, messageOf } from '@souk/pages'
import type { Span } from '@souk/project'
import type { Reported } from './report.ts'

const levels = { error: 'error', warning: 'warning', hint: 'note', info: 'note' } as const

/** Formats a SARIF 2.1.0 log with a rule for every code. */
export function toSarif(diagnostics: readonly Reported[]) {
  const ids = Object.keys(codes) as Code[]
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'souk pages check',
            rules: ids.map((id) => ({
              id,
              shortDescription: { text: codes[id][1] },
              defaultConfiguration: { level: levels[codes[id][0]] },
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: diagnostics.map((each) => ({
          ruleId: each.code,
          ruleIndex: ids.indexOf(each.code as Code),
          level: levels[each.severity],
          message: { text: messageOf(each) },
          locations: [{ physicalLocation: { artifactLocation: artifact(each), region: region(each) } }],
          ...(each.fix && {
            fixes: [
              {
                description: { text: each.fix.title },
                artifactChanges: [
                  {
                    artifactLocation: artifact(each),
                    replacements: each.fix.edits.map((edit) => ({
                      deletedRegion: region(edit),
                      insertedContent: { text: edit.text },
                    })),
                  },
                ],
              },
            ],
          }),
        })),
      },
    ],
  }
}

const artifact = ({ file }: Reported) => ({
  uri: isAbsolute(file) ? pathToFileURL(file).href : file.split('/').map(encodeURIComponent).join('/'),
})

const region = ({ line, column, endLine, endColumn }: Span) => ({
  startLine: line,
  startColumn: column,
  endLine,
  endColumn,
})
