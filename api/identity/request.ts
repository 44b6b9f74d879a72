import type { Callers } from '#api/platform/auth/callers.ts'
import { StoreAccessErrors } from '#api/platform/errors.ts'
import type { RequestInfo } from '#api/platform/operation/request-info.ts'
import type { UnitOfWork } from '#api/platform/operation/unit-of-work.ts'
import { mergeCart } from '#shared/cart/merge-cart.ts'
import type { Device } from '#shared/identity/device.ts'
import type { AccountType, IdentityTx } from '#shared/identity/principal.ts'
import type { SecondFactor } from '#shared/identity/two-factor/second-factor.ts'
import { PlatformTx, type StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Store } from '#shared/stores/store.ts'

/** The origin of a sign-in, as it is shown to the account's holder. */
export const deviceOf = ({ ip, userAgent }: RequestInfo): Device => ({ ip, userAgent: userAgent || null })

/** Which accounts are meant: customers where a store is named, else staff, unless the caller says. */
export const accountTypeOf = (store: Store | null, requested: AccountType | undefined): AccountType =>
  requested ?? (store ? 'customer' : 'staff')

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

/** Merges the cart of X-Cart-Token, which the caller filled as a guest, into the customer's. */
export async function mergeGuestCart(tx: StoreTx, customerId: string, request: RequestInfo): Promise<void> {
  const cartToken = request.headers['x-cart-token'] as string | undefined
  if (cartToken) await mergeCart(tx, { cartToken, customerId })
}

/** Makes the change of an operation in the transaction of a store, or of the platform for null. */
export const runInScope = <T>(
  unitOfWork: UnitOfWork,
  storeId: string | null,
  work: (tx: IdentityTx) => Promise<T>,
  caller?: Callers,
): Promise<T> =>
  storeId
    ? unitOfWork.inStore(storeId, work, caller)
    : unitOfWork.inPlatform((knex) => work(new PlatformTx(knex)), caller)
