import { AuditChainError, type AuditHead, consoleOperations, emptyAuditChain, nextAuditHead } from '@souk/contract'
import { type Command, InvalidArgumentError } from 'commander'
import { Failure } from '../failure.ts'
import { linesOf } from '../lines.ts'
import { counted } from '../render.ts'
import type { AddCommand, Session } from '../session.ts'

const { exportAudit } = consoleOperations

/** `souk audit …`: exports the audit log and verifies its hash chain (ADR 287). */
export function addAuditCommands(program: Command, add: AddCommand): void {
  const audit = program.command('audit')

  add<[], { out?: string }>(audit, {
    usage: 'export',
    summary: 'export the whole audit log as NDJSON, oldest first',
    examples: ['audit export > audit.ndjson', 'audit export --out audit.ndjson'],
    options: (command) => command.option('--out <file>', 'write to this file instead of standard output'),
    action: async ({ environment, server, print }, { out }) => {
      await environment.write(await server.stream(exportAudit, {}, environment.untilInterrupted()), out)
      // Standard output contains only the data.
      if (out !== undefined) print({ file: out }, () => `Wrote ${out}.`)
    },
  })

  add<[string | undefined], { expectHead?: string }>(audit, {
    usage: 'verify [file]',
    summary: 'verify an export, or the audit log of the server: finds changed, removed, inserted and moved rows',
    examples: [
      'audit verify',
      'audit verify audit.ndjson',
      `audit verify --expect-head ${'0123456789abcdef'.repeat(4)}`,
    ],
    options: (command) =>
      command.option('--expect-head <hash>', 'fail unless a row has this hash, a head noted earlier', parseHash),
    action: async (session, { expectHead }, file) => {
      const { head, found } = await verify(await exportedLines(session, file), expectHead)
      if (expectHead !== undefined && !found) {
        throw new Failure(
          1,
          `No row has the hash ${expectHead}. The chain is intact but ends before that row, or was rewritten.`,
          'Compare with an earlier export.',
        )
      }
      // An export that was cut off at its start would be verified without any proof.
      if (file !== undefined && head.position === 0) {
        const name = file === '-' ? 'Standard input' : file
        throw new Failure(1, `${name} contains no rows.`, 'Export the audit log: souk audit export --out audit.ndjson')
      }
      session.print(head, ({ position, hash }) => `Verified ${counted(position, 'row')}. Head: ${hash}`)
    },
  })
}

async function exportedLines(
  { environment, server }: Session,
  file: string | undefined,
): Promise<AsyncIterable<string>> {
  if (file !== undefined) return environment.readLines(file)
  return linesOf(await server.stream(exportAudit, {}, environment.untilInterrupted()))
}

/** @throws Failure 1 naming the first line that does not continue the chain */
async function verify(
  lines: AsyncIterable<string>,
  expectHead: string | undefined,
): Promise<{ head: AuditHead; found: boolean }> {
  let head = emptyAuditChain
  // A new server logs the head of its empty chain, which is the start of every chain.
  let found = head.hash === expectHead
  let number = 0
  for await (const line of lines) {
    number++
    try {
      head = nextAuditHead(head, line)
    } catch (error) {
      if (!(error instanceof AuditChainError)) throw error
      throw new Failure(
        1,
        `Line ${number} ${error.message}. The ${number - 1} before it are intact.`,
        'Compare with an earlier export.',
      )
    }
    found ||= head.hash === expectHead
  }
  return { head, found }
}

function parseHash(text: string): string {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new InvalidArgumentError('Use the 64 hexadecimal digits of a head.')
  return text.toLowerCase()
}
