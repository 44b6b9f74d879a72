import type { Static } from 'typebox'
import type { RequestInfo } from '#api/platform/pipeline/operation.ts'
import { limitCode } from '#api/platform/rate-limits/rate-limit.ts'
import { signInSuperAdmin } from '#api/super-admin/sign-in.ts'
import { type CustomerCredentials, findCustomerToSignIn } from '#shared/customers/find-credentials.ts'
import { renewCustomerPasswordHash } from '#shared/customers/renew-password-hash.ts'
import { signInCustomer, signInCustomerAtOnce } from '#shared/customers/sign-in-customer.ts'
import { viewCustomer } from '#shared/customers/view.ts'
import { NOBODY } from '#shared/identity/account.ts'
import { assertAvailable } from '#shared/identity/assert-store-available.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { isPassword } from '#shared/identity/passwords/password.ts'
import { lastDevices } from '#shared/identity/sessions/known-devices.ts'
import type { Device } from '#shared/identity/sessions/session.ts'
import { viewTokenPair } from '#shared/identity/sessions/token-pair-view.ts'
import { countingFailures } from '#shared/identity/throttling/failures.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { findStaffToSignIn, type StaffCredentials } from '#shared/staff/find-credentials.ts'
import { renewStaffPasswordHash } from '#shared/staff/renew-password-hash.ts'
import { signInStaffMember, signInStaffMemberAtOnce } from '#shared/staff/sign-in-staff-member.ts'
import { viewStaffMember } from '#shared/staff/view.ts'
import type { Store } from '#shared/stores/store.ts'
import { accountTypeOf, deviceOf, factorOf, guestCartOf, requireStore, takeGuestCart } from './caller.ts'
import type { LoginBody } from './schemas.ts'

type Login = Static<typeof LoginBody>

/** Signs in a customer where a store is named, else a staff member, unless `account` says which. */
export function signIn(store: Store | null, login: Login, request: RequestInfo) {
  return accountTypeOf(store, login.account) === 'staff'
    ? asStaffMember(store, login, request)
    : asCustomer(requireStore(store), login, request)
}

async function asCustomer(store: Store, login: Login, request: RequestInfo) {
  const { found, failures } = await findCustomerToSignIn(store.id, login.email)
  const device = deviceOf(request)
  const knownDevices = () => lastDevices(store.id, { type: 'customer', id: found?.id ?? NOBODY })
  return countingFailures(failures, { device, knownDevices }, () =>
    proveCustomer(store, found, login, request),
  )
}

// The slow hash stands between a read and a transaction: no connection waits for it.
async function proveCustomer(
  store: Store,
  found: CustomerCredentials | null,
  login: Login,
  request: RequestInfo,
) {
  const matches = await isPassword(login.password, found?.passwordHash ?? null)
  if (!found || !matches) throw AuthErrors.invalidCredentials()
  await countCodeOf(login, `customer:${found.id}`)
  const proven = await renewCustomerPasswordHash(store.id, found, login.password)
  const device = deviceOf(request)
  const inSteps = () =>
    inStore(store.id, async (tx) => {
      const signedIn = await signInCustomer(tx, proven, device, factorOf(login))
      await takeGuestCart(tx, proven.id, request)
      return signedIn
    })
  const atOnce = guestCartOf(request) ? null : await signInCustomerAtOnce(store.id, proven, device)
  const { customer, tokens } = atOnce ?? (await inSteps())
  return { ...viewTokenPair(tokens), customer: viewCustomer(customer) }
}

async function asStaffMember(store: Store | null, login: Login, request: RequestInfo) {
  const { found: member, failures } = await findStaffToSignIn(login.email)
  // Those who run the platform belong to no store.
  if (!member && !store) return signInSuperAdmin(login, request)
  // Where a store is named, another store's staff are strangers.
  const found = store && member?.storeId !== store.id ? null : member
  const device = deviceOf(request)
  const knownDevices = () => lastDevices(found?.storeId ?? NOBODY, { type: 'staff', id: found?.id ?? NOBODY })
  return countingFailures(failures, { device, knownDevices }, () => proveStaffMember(found, login, device))
}

async function proveStaffMember(found: StaffCredentials | null, login: Login, device: Device) {
  const matches = await isPassword(login.password, found?.passwordHash ?? null)
  if (!found || !matches) throw AuthErrors.invalidCredentials()
  assertAvailable(found.storeStatus)
  await countCodeOf(login, `staff:${found.id}`)
  const proven = await renewStaffPasswordHash(found, login.password)
  const inSteps = () => inStore(found.storeId, (tx) => signInStaffMember(tx, proven, device, factorOf(login)))
  const signedIn = (await signInStaffMemberAtOnce(proven, device)) ?? (await inSteps())
  return { ...viewTokenPair(signedIn.tokens), staff: viewStaffMember(signedIn.member) }
}

/** Only after the right password: else anyone could use up an account's tries. */
const countCodeOf = async ({ totp_code, recovery_code }: Login, principal: string): Promise<void> => {
  if (totp_code || recovery_code) await limitCode(principal)
}
