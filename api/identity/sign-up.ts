import type { Static } from 'typebox'
import type { RequestInfo } from '#api/platform/operation/request-info.ts'
import { registerCustomer } from '#shared/customers/account/register-customer.ts'
import { viewCustomer } from '#shared/customers/customer.ts'
import { callerByNetwork } from '#shared/identity/passwords/hash-caller.ts'
import { hashPassword } from '#shared/identity/passwords/password.ts'
import { openSession, viewTokenPair } from '#shared/identity/sessions/open-session.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import type { Store } from '#shared/stores/store.ts'
import { deviceOf, mergeGuestCart } from './request.ts'
import type { RegisterRequest } from './schemas.ts'

/** Creates a customer and signs them in. It hashes the password first, so that no connection waits for it. */
export async function signUp(store: Store, body: Static<typeof RegisterRequest>, request: RequestInfo) {
  const { password, accepts_marketing: acceptsMarketing, ...given } = body
  const passwordHash = await hashPassword(password, callerByNetwork(store.id, request.ip))
  return inStore(store.id, async (tx) => {
    const customer = await registerCustomer(tx, {
      ...given,
      passwordHash,
      acceptsMarketing,
      language: request.language,
    })
    const tokens = await openSession(tx, { type: 'customer', id: customer.id }, deviceOf(request))
    await mergeGuestCart(tx, customer.id, request)
    return { ...viewTokenPair(tokens), customer: viewCustomer(customer) }
  })
}
