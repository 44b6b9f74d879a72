import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { type AccountName, rowsOf } from '../account.ts'
import { AuthErrors } from '../errors.ts'
import { AccountLink, type LinkPurpose } from './account-link.ts'
import type { LinkToken } from './link-token.ts'

const OPEN_LINK = {
  name: 'open_link',
  text: `
    select account_type, account_id from account_links
    where store_id = ${CURRENT_STORE}
      and id = $1::uuid and token_hash = decode($2, 'hex') and purpose = $3
      and used_at is null and expires_at > $4::timestamptz`,
}

/**
 * Tells whose a link is, or throws `auth.link_invalid` for one of no use: asked before slow work, and no promise for
 * what comes after it.
 */
export async function whoseLink(token: LinkToken, purpose: LinkPurpose): Promise<AccountName> {
  const { storeId, id, hash } = token
  const values = [id, hash.toString('hex'), purpose, now().toISOString()]
  const [found] = await readInStore(storeId, OPEN_LINK, values)
  if (!found) throw AuthErrors.linkInvalid()
  const [type, accountId] = found as [AccountName['type'], string]
  return { type, id: accountId }
}

/** What a link that was used stood for. */
interface UsedLink {
  account: AccountName
  email: string | null
}

/**
 * Uses a link up and tells whose it was; where `holder` is named, it must be theirs. Of many who come with it at once,
 * one gets an answer: `auth.link_invalid`.
 */
export async function useLink(
  tx: StoreTx,
  { id, hash }: LinkToken,
  purpose: LinkPurpose,
  holder?: AccountName,
): Promise<UsedLink> {
  const [link] = await AccountLink.in(tx)
    .where({ id, purpose, token_hash: hash, ...(holder ? rowsOf(holder) : {}) })
    .whereNull('used_at')
    .where('expires_at', '>', now())
    .patch({ usedAt: now() })
    .returning('*')
  if (!link) throw AuthErrors.linkInvalid()
  return { account: { type: link.accountType, id: link.accountId }, email: link.email }
}

/** Uses up whatever links of these kinds an account still has. */
export async function voidLinks(
  tx: StoreTx,
  account: AccountName,
  ...purposes: readonly LinkPurpose[]
): Promise<void> {
  await AccountLink.in(tx)
    .where(rowsOf(account))
    .whereIn('purpose', purposes)
    .whereNull('used_at')
    .patch({ usedAt: now() })
}
