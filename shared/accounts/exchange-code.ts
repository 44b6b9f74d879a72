import { lastDevices } from '#shared/identity/device.ts'
import type { SignedIn } from '#shared/identity/sign-in/complete-sign-in.ts'
import { limitFailedCodes } from '#shared/identity/throttling/failed-codes.ts'
import { limitSecondFactorAttempts } from '#shared/identity/throttling/limit-second-factor-attempts.ts'
import { hasCode, type SecondFactor } from '#shared/identity/two-factor/second-factor.ts'
import { assertOwnToken } from '#shared/identity-providers/assert-own-token.ts'
import { OauthErrors } from '#shared/identity-providers/errors.ts'
import { findCodeAccount, redeemCode } from '#shared/identity-providers/one-time-code.ts'
import { signInLinked } from '#shared/identity-providers/sign-in-linked.ts'
import { codeTokens } from '#shared/identity-providers/tokens.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import type { OpaqueToken } from '#shared/platform/secrets/opaque-token.ts'
import type { Store } from '#shared/stores/store.ts'
import { mergeGuestCart } from './merge-guest-cart.ts'
import type { SignInClient } from './sign-in-client.ts'

/** A one-time code of a sign-in at a provider, as the sign-in page presents it. */
export interface PresentedCode {
  code: string
  codeVerifier: string | undefined
  secondFactor: SecondFactor
}

/**
 * Exchanges a one-time code for a session. A missing or wrong second factor does not consume the code. Throws
 * `auth.oauth_code_invalid`, `auth.oauth_account_unavailable`, `auth.tenant_unavailable`, `auth.totp_required`,
 * `auth.totp_invalid` and `rate_limit.exceeded`.
 */
export async function exchangeCode(
  store: Store | null,
  { code: presented, codeVerifier, secondFactor }: PresentedCode,
  client: SignInClient,
): Promise<SignedIn> {
  const code = await assertOwnToken(store, codeTokens.read(presented), OauthErrors.codeInvalid)
  const signIn = () =>
    inStore(code.storeId, async (tx) => {
      const redeemed = await redeemCode(tx, code, codeVerifier)
      const signedIn = await signInLinked(tx, redeemed, client.device, secondFactor)
      if (redeemed.accountType === 'customer') await mergeGuestCart(tx, redeemed.accountId, client)
      return signedIn
    })
  return hasCode(secondFactor) ? limitCodeAttempts(code, client, signIn) : signIn()
}

/**
 * Limits the authenticator codes of an account from any IP address. Only the holder of a one-time code can use up the
 * attempts. Above the limit, only known devices may still try.
 */
async function limitCodeAttempts<T>(
  code: OpaqueToken,
  { device }: SignInClient,
  signIn: () => Promise<T>,
): Promise<T> {
  const holder = await inStore(code.storeId, (tx) => findCodeAccount(tx, code))
  if (!holder) return signIn()
  const account = { type: holder.accountType, id: holder.accountId }
  await limitSecondFactorAttempts(account)
  const knownDevices = () => lastDevices(code.storeId, account)
  return limitFailedCodes(account.id, { device, knownDevices }, signIn)
}
