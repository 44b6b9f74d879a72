import { assertStoreAvailable } from '#shared/identity/assert-store-available.ts'
import { isKnownDevice, lastDevices } from '#shared/identity/device.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import {
  callerByKnownDevice,
  callerByNetwork,
  type HashCaller,
} from '#shared/identity/passwords/hash-caller.ts'
import { areManyHashesWaiting, isPassword } from '#shared/identity/passwords/password.ts'
import { renewPasswordHash } from '#shared/identity/passwords/set-password.ts'
import { type AccountType, NOBODY, type PrincipalType } from '#shared/identity/principal.ts'
import { completeSignIn, type SignedIn } from '#shared/identity/sign-in/complete-sign-in.ts'
import { type Credentials, findCredentialsToSignIn } from '#shared/identity/sign-in/find-credentials.ts'
import { limitFailedCodes } from '#shared/identity/throttling/failed-codes.ts'
import { limitFailedSignIns } from '#shared/identity/throttling/failed-sign-ins.ts'
import type { Failures, Origin } from '#shared/identity/throttling/limit-failures.ts'
import { limitSecondFactorAttempts } from '#shared/identity/throttling/limit-second-factor-attempts.ts'
import { hasCode, type SecondFactor } from '#shared/identity/two-factor/second-factor.ts'
import { inScope } from '#shared/platform/db/store-scope.ts'
import { mergeGuestCart } from './merge-guest-cart.ts'
import type { SignInClient } from './sign-in-client.ts'

/** The e-mail address, password and second factor of a sign-in. */
export interface PasswordSignIn {
  email: string
  password: string
  secondFactor: SecondFactor
}

/**
 * Signs in a customer of a store, or a staff member. Without a store, also signs in a super-admin. Throws
 * `auth.invalid_credentials`, `auth.totp_required`, `auth.totp_invalid`, `auth.tenant_unavailable` and
 * `rate_limit.exceeded`.
 */
export async function signInByPassword(
  type: AccountType,
  storeId: string | null,
  given: PasswordSignIn,
  client: SignInClient,
): Promise<SignedIn> {
  const attempt = await findCredentialsToSignIn(type, storeId, given.email)
  // Super-admins belong to no store.
  if (type === 'staff' && !attempt.found && !storeId) return signInSuperAdmin(given, client)
  return verifySignIn(type, storeId, attempt, given, client)
}

/**
 * Signs in a super-admin. An unknown address takes as long as a wrong password. Throws `auth.invalid_credentials`,
 * `auth.totp_required`, `auth.totp_invalid` and `rate_limit.exceeded`.
 */
export async function signInSuperAdmin(given: PasswordSignIn, client: SignInClient): Promise<SignedIn> {
  const attempt = await findCredentialsToSignIn('super_admin', null, given.email)
  return verifySignIn('super_admin', null, attempt, given, client)
}

interface Attempt {
  found: Credentials | null
  failures: Failures
}

/** Verifies password and second factor within the limits of failures, then signs the account in. */
function verifySignIn(
  type: PrincipalType,
  storeId: string | null,
  { found, failures }: Attempt,
  given: PasswordSignIn,
  client: SignInClient,
): Promise<SignedIn> {
  const nobody = {
    account: { type, id: NOBODY },
    storeId: type === 'super_admin' ? null : (storeId ?? NOBODY),
  }
  const { account, storeId: ownStoreId } = found ?? nobody
  const origin = { device: client.device, knownDevices: () => lastDevices(ownStoreId, account) }
  const verify = async () => {
    const caller = (await isKnownDeviceUnderLoad(origin))
      ? callerByKnownDevice(ownStoreId, client.ip)
      : callerByNetwork(storeId, client.ip)
    const verified = await verifyPassword(storeId, found, given, caller)
    const signIn = () => signInVerified(verified, given, client)
    return hasCode(given.secondFactor) ? limitFailedCodes(account.id, origin, signIn) : signIn()
  }
  return limitFailedSignIns(failures, origin, verify)
}

/** Whether this sign-in is from a known device. Reads the devices, and can be true, only while many sign-ins wait. */
const isKnownDeviceUnderLoad = async ({ device, knownDevices }: Origin): Promise<boolean> =>
  areManyHashesWaiting() && isKnownDevice(device, await knownDevices())

// The slow hash runs between a read and a transaction, so that no connection waits for it.
async function verifyPassword(
  requestStoreId: string | null,
  found: Credentials | null,
  given: PasswordSignIn,
  caller: HashCaller,
): Promise<Credentials> {
  const isRight = await isPassword(given.password, found?.passwordHash ?? null, caller)
  if (!found || !isRight) throw AuthErrors.invalidCredentials()
  const { account, storeId } = found
  if (storeId && storeId !== requestStoreId) await assertStoreAvailable(storeId)
  // Count only after the correct password, because otherwise anyone could use up an account's attempts.
  if (hasCode(given.secondFactor)) await limitSecondFactorAttempts(account)
  return renewPasswordHash(found, given.password)
}

/** Verifies the second factor, opens a session, and merges the guest's cart into the customer's. */
const signInVerified = (
  verified: Credentials,
  { secondFactor }: PasswordSignIn,
  client: SignInClient,
): Promise<SignedIn> =>
  inScope(verified.storeId, async (tx) => {
    const { account } = verified
    const signedIn = await completeSignIn(tx, verified, client.device, secondFactor)
    if (tx.storeId && account.type === 'customer') await mergeGuestCart(tx, account.id, client)
    return signedIn
  })
