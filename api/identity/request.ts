import type { Static } from 'typebox'
import type { Callers } from '#api/platform/auth/callers.ts'
import { StoreAccessErrors } from '#api/platform/errors.ts'
import type { RequestInfo } from '#api/platform/operation/request-info.ts'
import type { UnitOfWork } from '#api/platform/operation/unit-of-work.ts'
import type { PasswordSignIn } from '#shared/accounts/sign-in-by-password.ts'
import type { SignInClient } from '#shared/accounts/sign-in-client.ts'
import type { Device } from '#shared/identity/device.ts'
import type { AccountType, IdentityTx } from '#shared/identity/principal.ts'
import type { Proof } from '#shared/identity/reauthentication/reauthenticate.ts'
import type { SecondFactor } from '#shared/identity/two-factor/second-factor.ts'
import type { Store } from '#shared/stores/store.ts'
import type { ConfirmSecondFactorRequest, LoginRequest } from './schemas.ts'

/** Returns the device of a request, which the account's holder sees. */
export const deviceOf = ({ ip, userAgent }: RequestInfo): Device => ({ ip, userAgent: userAgent || null })

/** Returns the client that signs in by a request. X-Cart-Token names the guest's cart. */
export const clientOf = (request: RequestInfo): SignInClient => ({
  ip: request.ip,
  device: deviceOf(request),
  cartToken: request.headers['x-cart-token'] as string | undefined,
})

/** How an operation without a session chooses the kind of account, for descriptions. See `accountScopeOf`. */
export const ACCOUNT_KIND =
  '`account` chooses the kind of account. Default: a customer if the request names a store (X-Service-Key or its ' +
  'domain), else staff'

/**
 * Returns the kind of account that a request is about: the requested kind, or else customers if the request names a
 * store, or else staff. Also returns the store. Throws `auth.store_required` for a customer without a store.
 */
export function accountScopeOf(
  store: Store | null,
  requested: AccountType | undefined,
): { type: AccountType; storeId: string | null } {
  const type = requested ?? (store ? 'customer' : 'staff')
  if (type === 'customer') requireStore(store)
  return { type, storeId: store?.id ?? null }
}

/** Returns the second factor of a request body. */
export const factorOf = (body: { totp_code?: string; recovery_code?: string }): SecondFactor => ({
  totpCode: body.totp_code,
  recoveryCode: body.recovery_code,
})

/** Returns the e-mail address, password and second factor of a sign-in. */
export const passwordSignInOf = (body: Omit<Static<typeof LoginRequest>, 'account'>): PasswordSignIn => ({
  email: body.email,
  password: body.password,
  secondFactor: factorOf(body),
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

/** Makes a change in the transaction of a store, or of the platform for null. */
export const runInScope = <T>(
  unitOfWork: UnitOfWork,
  storeId: string | null,
  work: (tx: IdentityTx) => Promise<T>,
  caller?: Callers,
): Promise<T> => (storeId ? unitOfWork.inStore(storeId, work, caller) : unitOfWork.inPlatform(work, caller))
