import { IdentityLink } from '#shared/identity/identity-link.ts'
import { type AccountType, rowsOf, type StoreAccount } from '#shared/identity/principal.ts'
import { newId } from '#shared/platform/db/id.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import type { OpaqueToken } from '#shared/platform/secrets/opaque-token.ts'
import { inMs, MINUTE_MS, now } from '#shared/platform/time/clock.ts'
import { OauthErrors } from './errors.ts'
import type { LinkedAccount } from './find-or-link-account.ts'
import { IdentityProvider, lockIfActive } from './identity-provider.ts'
import { codeTokens } from './tokens.ts'

/** The code of a completed sign-in at a provider, which the sign-in page exchanges for tokens. */
export class OauthCode extends StoreModel {
  static override tableName = 'oauth_codes'

  declare providerId: string
  declare codeHash: Buffer
  declare accountType: AccountType
  declare accountId: string
  declare codeChallenge: string | null
  declare expiresAt: Date
  declare usedAt: Date | null
}

/** Long enough to follow the redirect, and short enough that a code in the browser's history has expired. */
const LIFETIME_MS = MINUTE_MS

/** Issues a one-time code. Only its SHA-256 is stored. */
export async function issueCode(
  tx: StoreTx,
  { accountType, accountId }: LinkedAccount,
  { providerId, codeChallenge }: { providerId: string; codeChallenge: string | null },
): Promise<string> {
  await OauthCode.in(tx).where('expires_at', '<', now()).delete()
  const id = newId()
  const code = codeTokens.make(tx.storeId, id)
  const row = { id, providerId, codeHash: sha256(code), accountType, accountId, codeChallenge }
  await OauthCode.in(tx).insert({ ...row, expiresAt: inMs(LIFETIME_MS) })
  return code
}

/** Returns the account of a valid code; null for an invalid one. It does not consume the code. */
export const findCodeAccount = async (tx: StoreTx, code: OpaqueToken): Promise<LinkedAccount | null> =>
  (await openCode(tx, code).first()) ?? null

/**
 * Consumes a code and returns it with its account. Of concurrent calls, one succeeds. A code that was requested with a
 * `code_challenge` needs its `code_verifier` (RFC 7636, S256). Throws `auth.oauth_code_invalid`.
 */
export async function redeemCode(
  tx: StoreTx,
  token: OpaqueToken,
  codeVerifier: string | undefined,
): Promise<OauthCode> {
  const challenge = codeVerifier === undefined ? null : sha256(codeVerifier).toString('base64url')
  // Lock the provider first: its deactivation closes the sessions that exist, and must not miss the one that is opened
  // for this code. Deactivation and deletion also lock the provider before the code.
  const found = await openCode(tx, token).first()
  if (!found || !(await lockIfActive(tx, found.providerId))) throw OauthErrors.codeInvalid()
  const [code] = await openCode(tx, token)
    .where({ code_challenge: challenge })
    .patch({ usedAt: now() })
    .returning('*')
  if (!code) throw OauthErrors.codeInvalid()
  return code
}

// The code becomes invalid when its provider is deactivated, or its account is no longer linked to it. Somebody who
// loses access to the account could have requested a code just before.
const openCode = (tx: StoreTx, { id, hash }: OpaqueToken) =>
  OauthCode.in(tx)
    .where({ id, code_hash: hash })
    .whereNull('used_at')
    .where('expires_at', '>', now())
    .whereIn('provider_id', IdentityProvider.in(tx).select('id').where({ is_active: true }))
    .whereExists(
      IdentityLink.in(tx)
        .whereColumn('identity_links.provider_id', 'oauth_codes.provider_id')
        .whereColumn('identity_links.account_type', 'oauth_codes.account_type')
        .whereColumn('identity_links.account_id', 'oauth_codes.account_id'),
    )

/** Deletes the codes of an account, used or not. */
export async function deleteCodesOf(tx: StoreTx, account: StoreAccount): Promise<void> {
  await OauthCode.in(tx).where(rowsOf(tx, account)).delete()
}

/** Deletes the codes of a provider, used or not. The caller has locked the provider, so that no code is issued. */
export async function deleteCodesOfProvider(tx: StoreTx, providerId: string): Promise<void> {
  await OauthCode.in(tx).where('provider_id', providerId).delete()
}
