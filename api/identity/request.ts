import type { Static } from 'typebox'
import type { Callers } from '#api/platform/auth/callers.ts'
import { StoreAccessErrors } from '#api/platform/errors.ts'
import type { RequestInfo } from '#api/platform/operation/request-info.ts'
import type { UnitOfWork } from '#api/platform/operation/unit-of-work.ts'
import { mergeCart } from '#shared/cart/merge-cart.ts'
import type { Device } from '#shared/identity/device.ts'
import type { AccountType, IdentityTx } from '#shared/identity/principal.ts'
import type { Proof } from '#shared/identity/reauthentication/reauthenticate.ts'
import type { SecondFactor } from '#shared/identity/two-factor/second-factor.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Store } from '#shared/stores/store.ts'
import type { ConfirmSecondFactorRequest } from './schemas.ts'

/** Returns the device of a request, which the account's holder sees. */
export const deviceOf = ({ ip, userAgent }: RequestInfo): Device => ({ ip, userAgent: userAgent || null })

/**
 * Returns the kind of account to sign in: the requested kind, or else customers if the request names a store, or else
 * staff.
 */
export const accountTypeOf = (store: Store | null, requested: AccountType | undefined): AccountType =>
  requested ?? (store ? 'customer' : 'staff')

/** Returns the second factor of a request body. */
export const factorOf = (body: { totp_code?: string; recovery_code?: string }): SecondFactor => ({
  totpCode: body.totp_code,
  recoveryCode: body.recovery_code,
})

/** Returns the password and the second factor of a request body. */
export const proofOf = (body: Static<typeof ConfirmSecondFactorRequest>): Proof => ({
  password: body.current_password,
  secondFactor: factorOf(body),
})

/** Returns the request's store. Throws `auth.store_required` without one. */
export function requireStore(store: Store | null): Store {
  if (!store) throw StoreAccessErrors.required()
  return store
}

/** Merges the guest cart of X-Cart-Token into the customer's cart. */
export async function mergeGuestCart(tx: StoreTx, customerId: string, request: RequestInfo): Promise<void> {
  const cartToken = request.headers['x-cart-token'] as string | undefined
  if (cartToken) await mergeCart(tx, { cartToken, customerId })
}

/** Makes a change in the transaction of a store, or of the platform for null. */
export const runInScope = <T>(
  unitOfWork: UnitOfWork,
  storeId: string | null,
  work: (tx: IdentityTx) => Promise<T>,
  caller?: Callers,
): Promise<T> => (storeId ? unitOfWork.inStore(storeId, work, caller) : unitOfWork.inPlatform(work, caller))
