import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { DAY_MS, HOUR_MS, inMs, now } from '#shared/platform/time/clock.ts'
import { type AccountName, rowsOf } from '../account.ts'
import { AccountLink, type LinkPurpose } from './account-link.ts'
import { makeLinkToken } from './link-token.ts'

const LIFETIME_MS: Record<LinkPurpose, number> = {
  reset_password: HOUR_MS,
  verify_email: 3 * DAY_MS,
  change_email: HOUR_MS,
}

/** More in an hour than anybody needs: whoever asks on is filling a stranger's mailbox. */
export const MOST_AN_HOUR = 5

interface LinkOptions {
  id?: string
  lifetimeMs?: number
  /** The address that a link to change it proves. */
  email?: string
}

export interface IssuedLink {
  token: string
  expiresAt: Date
}

/**
 * Makes a link for an account. Null when it was given five of the kind within the hour, or when the link `id` was
 * made before: then its mail was queued with it.
 */
export async function issueLink(
  tx: StoreTx,
  account: AccountName,
  purpose: LinkPurpose,
  { id = newId(), lifetimeMs = LIFETIME_MS[purpose], email }: LinkOptions = {},
): Promise<IssuedLink | null> {
  const { length: recent } = await linksOf(tx, account, purpose).where('created_at', '>', inMs(-HOUR_MS))
  if (recent >= MOST_AN_HOUR || (await AccountLink.in(tx).findById(id))) return null
  const token = makeLinkToken(tx.storeId, id)
  const expiresAt = inMs(lifetimeMs)
  await AccountLink.in(tx).insert({
    id,
    purpose,
    accountType: account.type,
    accountId: account.id,
    email: email ?? null,
    tokenHash: sha256(token),
    createdAt: now(),
    expiresAt,
  })
  return { token, expiresAt }
}

const linksOf = (tx: StoreTx, account: AccountName, purpose: LinkPurpose) =>
  AccountLink.in(tx).where(rowsOf(account)).where({ purpose })
