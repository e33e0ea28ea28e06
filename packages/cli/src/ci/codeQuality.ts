import { createHash } from 'node:crypto'
import { messageOf } from '@souk/pages'
import type { Reported } from '../pages/report.ts'

const severities = { error: 'major', warning: 'minor', hint: 'info', info: 'info' } as const

/** Formats a code quality report, which GitLab shows beside the changed lines. */
export function toCodeQuality(findings: readonly Reported[]) {
  const seen = new Map<string, number>()
  return findings.map((finding) => {
    const { code, severity, file, line, endLine } = finding
    const description = messageOf(finding)
    const content = [file, code, description].join('\0')
    // The same finding twice in a file has two fingerprints, which do not depend on its line.
    const repetition = seen.get(content) ?? 0
    seen.set(content, repetition + 1)
    return {
      description,
      check_name: code,
      fingerprint: createHash('sha256').update(`${content}\0${repetition}`).digest('hex'),
      severity: severities[severity],
      location: { path: file, lines: { begin: line, end: endLine } },
    }
  })
}
