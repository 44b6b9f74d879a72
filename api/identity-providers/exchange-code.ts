import type { Static } from 'typebox'
import { deviceOf, factorOf, mergeGuestCart } from '#api/identity/request.ts'
import { viewAccount } from '#api/identity/view.ts'
import type { RequestInfo } from '#api/platform/operation/request-info.ts'
import { limitSecondFactorAttempts } from '#api/platform/rate-limits/rate-limit.ts'
import { type Device, lastDevices } from '#shared/identity/device.ts'
import { viewTokenPair } from '#shared/identity/sessions/open-session.ts'
import { limitFailedCodes } from '#shared/identity/throttling/failed-attempts.ts'
import { OauthErrors } from '#shared/identity-providers/errors.ts'
import { findCodeAccount, redeemCode } from '#shared/identity-providers/one-time-code.ts'
import { signInLinked } from '#shared/identity-providers/sign-in-linked.ts'
import { codeTokens } from '#shared/identity-providers/tokens.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import type { OpaqueToken } from '#shared/platform/secrets/opaque-token.ts'
import type { Store } from '#shared/stores/store.ts'
import { assertOwnToken } from './assert-own-token.ts'
import type { ExchangeCodeRequest } from './schemas.ts'

/** Exchanges a one-time code for a token pair. A missing or wrong second factor does not consume the code. */
export async function exchangeCode(
  store: Store | null,
  body: Static<typeof ExchangeCodeRequest>,
  request: RequestInfo,
) {
  const code = await assertOwnToken(store, codeTokens.read(body.code), OauthErrors.codeInvalid)
  const signIn = () =>
    inStore(code.storeId, async (tx) => {
      const redeemed = await redeemCode(tx, code, body.code_verifier)
      const signedIn = await signInLinked(tx, redeemed, deviceOf(request), factorOf(body))
      if (redeemed.accountType === 'customer') await mergeGuestCart(tx, redeemed.accountId, request)
      return { ...viewTokenPair(signedIn.tokens), ...viewAccount(signedIn) }
    })
  return body.totp_code || body.recovery_code ? limitCodeAttempts(code, deviceOf(request), signIn) : signIn()
}

/**
 * Limits the authenticator codes of an account from any IP address. Only the holder of a one-time code can use up the
 * attempts. Above the limit, only known devices may still try.
 */
async function limitCodeAttempts<T>(code: OpaqueToken, device: Device, signIn: () => Promise<T>): Promise<T> {
  const holder = await inStore(code.storeId, (tx) => findCodeAccount(tx, code))
  if (!holder) return signIn()
  const { accountType: type, accountId: id } = holder
  await limitSecondFactorAttempts(`${type}:${id}`)
  const knownDevices = () => lastDevices(code.storeId, { type, id })
  return limitFailedCodes(id, { device, knownDevices }, signIn)
}
