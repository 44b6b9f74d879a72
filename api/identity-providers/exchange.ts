import type { Static } from 'typebox'
import { deviceOf, factorOf, takeGuestCart } from '#api/accounts/caller.ts'
import type { RequestInfo } from '#api/platform/pipeline/operation.ts'
import { limitCode } from '#api/platform/rate-limits/rate-limit.ts'
import { viewCustomer } from '#shared/customers/view.ts'
import { lastDevices } from '#shared/identity/sessions/known-devices.ts'
import type { Device } from '#shared/identity/sessions/session.ts'
import { viewTokenPair } from '#shared/identity/sessions/token-pair-view.ts'
import { countingCodes } from '#shared/identity/throttling/failed-codes.ts'
import { OauthErrors } from '#shared/identity-providers/errors.ts'
import { findHolder, useCode } from '#shared/identity-providers/one-time-code.ts'
import { signInLinked } from '#shared/identity-providers/sign-in-linked.ts'
import { codes } from '#shared/identity-providers/tokens.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import type { OpaqueToken } from '#shared/platform/secrets/opaque-token.ts'
import { viewStaffMember } from '#shared/staff/view.ts'
import type { Store } from '#shared/stores/store.ts'
import { assertOwnToken } from './assert-own-token.ts'
import type { ExchangeBody } from './schemas.ts'

/** Gives the token pair for a one-time code. A missing or wrong second factor leaves the code as it was. */
export async function exchangeCode(
  store: Store | null,
  body: Static<typeof ExchangeBody>,
  request: RequestInfo,
) {
  const code = await assertOwnToken(store, codes.read(body.code), OauthErrors.codeInvalid)
  const signIn = () =>
    inStore(code.storeId, async (tx) => {
      const account = await useCode(tx, code, body.code_verifier)
      const signedIn = await signInLinked(tx, account, deviceOf(request), factorOf(body))
      const tokens = viewTokenPair(signedIn.tokens)
      if (signedIn.type === 'staff') return { ...tokens, staff: viewStaffMember(signedIn.member) }
      await takeGuestCart(tx, signedIn.customer.id, request)
      return { ...tokens, customer: viewCustomer(signedIn.customer) }
    })
  return body.totp_code || body.recovery_code ? countingTries(code, deviceOf(request), signIn) : signIn()
}

/**
 * Codes of the app are counted by account, from whatever address: only who has a code of ours can use its tries up.
 * Past the limit on those that fail, known devices alone go on.
 */
async function countingTries<T>(code: OpaqueToken, device: Device, signIn: () => Promise<T>): Promise<T> {
  const holder = await inStore(code.storeId, (tx) => findHolder(tx, code))
  if (!holder) return signIn()
  const { accountType: type, accountId: id } = holder
  await limitCode(`${type}:${id}`)
  const knownDevices = () => lastDevices(code.storeId, { type, id })
  return countingCodes(id, { device, knownDevices }, signIn)
}
