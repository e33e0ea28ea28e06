import { sha256Hex } from './open/sha256.ts'

/** The last row of an audit chain, or of a verified part of it. */
export interface AuditHead {
  /** Rows are numbered from 1 without gaps; 0 before the first. */
  position: number
  /** SHA-256 of the row, which includes the hash of the row before it, lowercase hex. */
  hash: string
}

/** The head of an empty chain. */
export const emptyAuditChain: AuditHead = { position: 0, hash: '0'.repeat(64) }

/** A row outside the chain has `null` as `previous` and `position`, and no hash. */
const exportedLine =
  /^\{"previous":(?:"([0-9a-f]{64})"|null),"position":(\d+|null),"auditId":(\d+),.*,"hash":"([0-9a-f]{64}|)"\}$/s
const hashMember = `,"hash":"${emptyAuditChain.hash}"`.length

/**
 * Checks that a line of an audit export continues the chain. The hash of a line is the SHA-256 of its text without the
 * member `hash`, which is the last one (ADR 287).
 *
 * @param head the result for the line before it, or `emptyAuditChain`
 * @throws AuditChainError if a row was changed, removed, inserted or moved
 */
export function nextAuditHead(head: AuditHead, line: string): AuditHead {
  const [, previous, place, auditId, hash] = exportedLine.exec(line) ?? []
  if (auditId === undefined) throw new AuditChainError('is not a line of an audit export')
  if (!hash) throw new AuditChainError(`has a row outside the chain (auditId ${auditId}): it was inserted`)
  const position = Number(place)
  const row = `is row ${position} (auditId ${auditId})`
  if (position !== head.position + 1) {
    throw new AuditChainError(`${row}, expected row ${head.position + 1}: rows were removed, inserted or moved`)
  }
  if (sha256Hex(`${line.slice(0, -hashMember - 1)}}`) !== hash) {
    throw new AuditChainError(`${row}: it does not match its hash, so it or the row before it was changed`)
  }
  if (previous !== head.hash) {
    throw new AuditChainError(`${row}: it does not continue the row before it, so that row was replaced`)
  }
  return { position, hash }
}

/** An audit log that was tampered with. The message completes "Line 7 …". */
export class AuditChainError extends Error {
  override name = 'AuditChainError'
}
