import { AuthErrors } from '#shared/identity/errors.ts'
import { type AccountType, rowsOf, type StoreAccount } from '#shared/identity/principal.ts'
import { newId } from '#shared/platform/db/id.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { type OpaqueToken, opaqueTokens } from '#shared/platform/secrets/opaque-token.ts'
import { DAY_MS, HOUR_MS, inMs, now } from '#shared/platform/time/clock.ts'

export const LINK_PURPOSES = ['reset_password', 'verify_email', 'change_email'] as const
export type LinkPurpose = (typeof LINK_PURPOSES)[number]

/** A mailed link to the owner of an account. It has one purpose and works once. */
export class AccountLink extends StoreModel {
  static override tableName = 'account_links'

  declare purpose: LinkPurpose
  declare accountType: AccountType
  declare accountId: string
  /** The new address that the link was mailed to; null unless the purpose is `change_email`. */
  declare email: string | null
  declare tokenHash: Buffer
  declare createdAt: Date
  declare expiresAt: Date
  declare usedAt: Date | null
}

/** The token of a mailed link, as a client presents it. */
export type LinkToken = OpaqueToken

const linkTokens = opaqueTokens('cx_ln_')

/** Reads the token of a mailed link. Throws `auth.link_invalid` for another format. */
export function readLinkToken(presented: string): LinkToken {
  const token = linkTokens.read(presented)
  if (!token) throw AuthErrors.linkInvalid()
  return token
}

const LIFETIME_MS: Record<LinkPurpose, number> = {
  reset_password: HOUR_MS,
  verify_email: 3 * DAY_MS,
  change_email: HOUR_MS,
}

/** Nobody needs more links in an hour. More requests only fill somebody else's mailbox. */
export const MAX_LINKS_PER_HOUR = 5

interface LinkOptions {
  id?: string
  lifetimeMs?: number
  /** The new address, for a link to change the address. */
  email?: string
}

/**
 * Creates a link for an account. Returns null if the account got five links of this purpose within the hour, or if the
 * link `id` exists, because its mail was queued with it.
 */
export async function issueLink(
  tx: StoreTx,
  { type: accountType, id: accountId }: StoreAccount,
  purpose: LinkPurpose,
  { id = newId(), lifetimeMs = LIFETIME_MS[purpose], email }: LinkOptions = {},
): Promise<{ token: string; expiresAt: Date } | null> {
  const recent = await AccountLink.in(tx)
    .where({ account_type: accountType, account_id: accountId, purpose })
    .where('created_at', '>', inMs(-HOUR_MS))
    .resultSize()
  if (recent >= MAX_LINKS_PER_HOUR || (await AccountLink.in(tx).findById(id))) return null
  const token = linkTokens.make(tx.storeId, id)
  const expiresAt = inMs(lifetimeMs)
  const row = { id, purpose, accountType, accountId, email: email ?? null, tokenHash: sha256(token) }
  await AccountLink.in(tx).insert({ ...row, createdAt: now(), expiresAt })
  return { token, expiresAt }
}

const FIND_LINK = {
  name: 'find_open_link',
  text: `
    select account_type, account_id from account_links
    where store_id = ${CURRENT_STORE}
      and id = $1::uuid and token_hash = decode($2, 'hex') and purpose = $3
      and used_at is null and expires_at > $4::timestamptz`,
}

/**
 * Returns the account of a usable link. Throws `auth.link_invalid`. Call it before slow work; `useLink` checks again.
 */
export async function findLinkAccount(token: LinkToken, purpose: LinkPurpose): Promise<StoreAccount> {
  const { storeId, id, hash } = token
  const values = [id, hash.toString('hex'), purpose, now().toISOString()]
  const [found] = await readInStore(storeId, FIND_LINK, values)
  if (!found) throw AuthErrors.linkInvalid()
  const [type, accountId] = found as [AccountType, string]
  return { type, id: accountId }
}

/**
 * Uses a link up and returns its account. Throws `auth.link_invalid` if the link was used, or if its account is not
 * `expected`. Only one of many concurrent requests with a link succeeds.
 */
export async function useLink(
  tx: StoreTx,
  { id, hash }: LinkToken,
  purpose: LinkPurpose,
  expected?: StoreAccount,
): Promise<{ account: StoreAccount; email: string | null }> {
  const [link] = await AccountLink.in(tx)
    .where({ id, purpose, token_hash: hash, ...(expected ? rowsOf(tx, expected) : {}) })
    .whereNull('used_at')
    .where('expires_at', '>', now())
    .patch({ usedAt: now() })
    .returning('*')
  if (!link) throw AuthErrors.linkInvalid()
  return { account: { type: link.accountType, id: link.accountId }, email: link.email }
}

/** Voids all unused links of an account with these purposes. */
export async function voidLinks(
  tx: StoreTx,
  account: StoreAccount,
  ...purposes: readonly LinkPurpose[]
): Promise<void> {
  await AccountLink.in(tx)
    .where(rowsOf(tx, account))
    .whereIn('purpose', purposes)
    .whereNull('used_at')
    .patch({ usedAt: now() })
}

/** Voids all unused links of accounts of one type. */
export async function voidLinksOfAccounts(
  tx: StoreTx,
  type: AccountType,
  ids: readonly string[],
): Promise<void> {
  await AccountLink.in(tx)
    .where('account_type', type)
    .whereIn('account_id', ids)
    .whereNull('used_at')
    .patch({ usedAt: now() })
}
