import { StoreAccessErrors } from '#api/platform/output/errors.ts'
import type { RequestInfo } from '#api/platform/pipeline/operation.ts'
import { mergeCart } from '#shared/cart/merge-cart.ts'
import type { AccountType } from '#shared/identity/sessions/access-token.ts'
import type { Device } from '#shared/identity/sessions/session.ts'
import type { SecondFactor } from '#shared/identity/two-factor/second-factor.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Store } from '#shared/stores/store.ts'

/** Where a sign-in comes from, as the account's owner will see it. */
export const deviceOf = ({ ip, userAgent }: RequestInfo): Device => ({ ip, userAgent: userAgent || null })

/** Which accounts are meant: customers where a store is named, else staff, unless the caller says. */
export const accountTypeOf = (store: Store | null, asked: AccountType | undefined): AccountType =>
  asked ?? (store ? 'customer' : 'staff')

/** The second factor of a request body, if it holds one. */
export const factorOf = (body: { totp_code?: string; recovery_code?: string }): SecondFactor => ({
  totpCode: body.totp_code,
  recoveryCode: body.recovery_code,
})

/** The request's store, or 401 `auth.store_required`. */
export function requireStore(store: Store | null): Store {
  if (!store) throw StoreAccessErrors.required()
  return store
}

/** The token of the cart that the caller filled as a guest (X-Cart-Token). */
export const guestCartOf = ({ headers }: RequestInfo): string | undefined =>
  headers['x-cart-token'] as string | undefined

/** Pours the cart that the caller filled as a guest into the customer's. */
export async function takeGuestCart(tx: StoreTx, customerId: string, request: RequestInfo): Promise<void> {
  const cartToken = guestCartOf(request)
  if (cartToken) await mergeCart(tx, { cartToken, customerId })
}
