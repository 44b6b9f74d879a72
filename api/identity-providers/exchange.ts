import type { Static } from 'typebox'
import { viewTokenPair } from '#shared/accounts/view.ts'
import { viewCustomer } from '#shared/customers/view.ts'
import { OauthErrors } from '#shared/identity-providers/errors.ts'
import { findHolder, useCode } from '#shared/identity-providers/one-time-code.ts'
import { signInLinked } from '#shared/identity-providers/sign-in-linked.ts'
import { codes } from '#shared/identity-providers/tokens.ts'
import type { RowToken } from '#shared/platform/row-token.ts'
import { inStore } from '#shared/platform/store-scope.ts'
import { viewStaffMember } from '#shared/staff/view.ts'
import type { Store } from '#shared/stores/store.ts'
import { deviceOf, factorOf, takeGuestCart } from '../accounts/caller.ts'
import type { RequestFacts } from '../platform/endpoint.ts'
import { countCode } from '../platform/rate-limit.ts'
import { assertOwnToken } from './assert-own-token.ts'
import type { ExchangeBody } from './schemas.ts'

/** Gives the token pair for a one-time code. A missing or wrong second factor leaves the code as it was. */
export async function exchangeCode(
  store: Store | null,
  body: Static<typeof ExchangeBody>,
  request: RequestFacts,
) {
  const code = await assertOwnToken(store, codes.read(body.code), OauthErrors.codeInvalid)
  if (body.totp_code || body.recovery_code) await countFor(code)
  return inStore(code.storeId, async (tx) => {
    const account = await useCode(tx, code, body.code_verifier)
    const signedIn = await signInLinked(tx, account, deviceOf(request), factorOf(body))
    const tokens = viewTokenPair(signedIn.tokens)
    if (signedIn.type === 'staff') return { ...tokens, staff: viewStaffMember(signedIn.member) }
    await takeGuestCart(tx, signedIn.customer.id, request)
    return { ...tokens, customer: viewCustomer(signedIn.customer) }
  })
}

/** Codes of the app are counted by account, from whatever address: only who has a code of ours can use its tries up. */
async function countFor(code: RowToken): Promise<void> {
  const holder = await inStore(code.storeId, (tx) => findHolder(tx, code))
  if (holder) await countCode(`${holder.accountType}:${holder.accountId}`)
}
