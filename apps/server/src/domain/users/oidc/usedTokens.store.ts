import type { Tx } from '../../../kernel/db/pool.ts'

/** Records the use of a token, and forgets expired ones. Returns false if it has been used before. */
export async function insertTokenId(
  tx: Tx,
  { issuer, tokenId, validUntil }: { issuer: string; tokenId: Buffer; validUntil: number },
  now: number,
): Promise<boolean> {
  await tx`
    delete from used_token_ids where (issuer, token_id) in (
      select issuer, token_id from used_token_ids where valid_until <= ${now} limit 100 for update skip locked)`
  const { count } = await tx`
    insert into used_token_ids (issuer, token_id, valid_until) values (${issuer}, ${tokenId}, ${validUntil})
    on conflict do nothing`
  return count === 1
}
