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
import {
  type Failures,
  limitFailedCodes,
  limitFailedSignIns,
  type Origin,
} from '#shared/identity/throttling/failed-attempts.ts'
import { limitSecondFactorAttempts } from '#shared/identity/throttling/limit-second-factor-attempts.ts'
import { hasCode, type SecondFactor } from '#shared/identity/two-factor/second-factor.ts'
import { inScope } from '#shared/platform/db/store-scope.ts'
import { mergeGuestCart } from './merge-guest-cart.ts'
import type { SignInClient } from './sign-in-client.ts'

/** The e-mail address and password of a sign-in. */
export interface Login {
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
  login: Login,
  client: SignInClient,
): Promise<SignedIn> {
  const attempt = await findCredentialsToSignIn(type, storeId, login.email)
  // Super-admins belong to no store.
  if (type === 'staff' && !attempt.found && !storeId) return signInSuperAdmin(login, client)
  return verifyLogin(type, storeId, attempt, login, client)
}

/**
 * Signs in a super-admin. An unknown address takes as long as a wrong password. Throws `auth.invalid_credentials`,
 * `auth.totp_required`, `auth.totp_invalid` and `rate_limit.exceeded`.
 */
export async function signInSuperAdmin(login: Login, client: SignInClient): Promise<SignedIn> {
  const attempt = await findCredentialsToSignIn('super_admin', null, login.email)
  return verifyLogin('super_admin', null, attempt, login, client)
}

interface Attempt {
  found: Credentials | null
  failures: Failures
}

function verifyLogin(
  type: PrincipalType,
  storeId: string | null,
  { found, failures }: Attempt,
  login: Login,
  client: SignInClient,
): Promise<SignedIn> {
  const nobody = {
    account: { type, id: NOBODY },
    storeId: type === 'super_admin' ? null : (storeId ?? NOBODY),
  }
  const { account, storeId: ownStore } = found ?? nobody
  const origin = { device: client.device, knownDevices: () => lastDevices(ownStore, account) }
  return limitFailedSignIns(failures, origin, async () => {
    const caller = (await isKnownDeviceUnderLoad(origin))
      ? callerByKnownDevice(ownStore, client.ip)
      : callerByNetwork(storeId, client.ip)
    const verified = await verifyPassword(storeId, found, login, caller)
    const complete = () => completeLogin(verified, login, client)
    return hasCode(login.secondFactor) ? limitFailedCodes(account.id, origin, complete) : complete()
  })
}

/** Whether many sign-ins wait, and this one is from a known device. Otherwise it does not read the devices. */
const isKnownDeviceUnderLoad = async ({ device, knownDevices }: Origin): Promise<boolean> =>
  areManyHashesWaiting() && isKnownDevice(device, await knownDevices())

// The slow hash runs between a read and a transaction, so that no connection waits for it.
async function verifyPassword(
  requestStoreId: string | null,
  found: Credentials | null,
  login: Login,
  caller: HashCaller,
): Promise<Credentials> {
  const isRight = await isPassword(login.password, found?.passwordHash ?? null, caller)
  if (!found || !isRight) throw AuthErrors.invalidCredentials()
  const { account, storeId } = found
  if (storeId && storeId !== requestStoreId) await assertStoreAvailable(storeId)
  // Count only after the correct password, because otherwise anyone could use up an account's attempts.
  if (hasCode(login.secondFactor)) await limitSecondFactorAttempts(account)
  return renewPasswordHash(found, login.password)
}

const completeLogin = (verified: Credentials, login: Login, client: SignInClient): Promise<SignedIn> =>
  inScope(verified.storeId, async (tx) => {
    const { account } = verified
    const signedIn = await completeSignIn(tx, verified, client.device, login.secondFactor)
    if (tx.storeId && account.type === 'customer') await mergeGuestCart(tx, account.id, client)
    return signedIn
  })
