import type { Static } from 'typebox'
import type { RequestInfo } from '#api/platform/operation/request-info.ts'
import { limitSecondFactorAttempts } from '#api/platform/rate-limits/rate-limit.ts'
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
import { NOBODY, type PrincipalType } from '#shared/identity/principal.ts'
import { viewTokenPair } from '#shared/identity/sessions/open-session.ts'
import { completeSignIn, type SignedIn } from '#shared/identity/sign-in/complete-sign-in.ts'
import { type Credentials, findCredentialsToSignIn } from '#shared/identity/sign-in/find-credentials.ts'
import {
  type Failures,
  limitFailedCodes,
  limitFailedSignIns,
  type Origin,
} from '#shared/identity/throttling/failed-attempts.ts'
import { inScope } from '#shared/platform/db/store-scope.ts'
import type { Store } from '#shared/stores/store.ts'
import { viewSuperAdmin } from '#shared/super-admin/super-admin.ts'
import { accountTypeOf, deviceOf, factorOf, mergeGuestCart, requireStore } from './request.ts'
import type { LoginRequest } from './schemas.ts'
import { viewAccount } from './view.ts'

type Login = Omit<Static<typeof LoginRequest>, 'account'>

/** Signs in a customer if the request names a store, else a staff member or super-admin. `account` chooses the kind. */
export async function signInByPassword(
  store: Store | null,
  login: Static<typeof LoginRequest>,
  request: RequestInfo,
) {
  const type = accountTypeOf(store, login.account)
  const storeId = type === 'customer' ? requireStore(store).id : (store?.id ?? null)
  const attempt = await findCredentialsToSignIn(type, storeId, login.email)
  // Super-admins belong to no store.
  if (type === 'staff' && !attempt.found && !store) return signInSuperAdmin(login, request)
  const { account, row, tokens } = await verifyLogin(type, storeId, attempt, login, request)
  return { ...viewTokenPair(tokens), ...viewAccount({ account, row }) }
}

/** Signs in a super-admin. An unknown address takes as long as a wrong password. */
export async function signInSuperAdmin(login: Login, request: RequestInfo) {
  const attempt = await findCredentialsToSignIn('super_admin', null, login.email)
  const { row, tokens } = await verifyLogin('super_admin', null, attempt, login, request)
  return { ...viewTokenPair(tokens), super_admin: viewSuperAdmin(row) }
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
  request: RequestInfo,
): Promise<SignedIn> {
  const nobody = {
    account: { type, id: NOBODY },
    storeId: type === 'super_admin' ? null : (storeId ?? NOBODY),
  }
  const { account, storeId: ownStore } = found ?? nobody
  const origin = { device: deviceOf(request), knownDevices: () => lastDevices(ownStore, account) }
  return limitFailedSignIns(failures, origin, async () => {
    const caller = (await isKnownDeviceUnderLoad(origin))
      ? callerByKnownDevice(ownStore, request.ip)
      : callerByNetwork(storeId, request.ip)
    const verified = await verifyPassword(storeId, found, login, caller)
    const complete = () => completeLogin(verified, login, request)
    return hasCode(login) ? limitFailedCodes(account.id, origin, complete) : complete()
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
  if (hasCode(login)) await limitSecondFactorAttempts(`${account.type}:${account.id}`)
  return renewPasswordHash(found, login.password)
}

const hasCode = (login: Login): boolean => Boolean(login.totp_code || login.recovery_code)

const completeLogin = (verified: Credentials, login: Login, request: RequestInfo): Promise<SignedIn> =>
  inScope(verified.storeId, async (tx) => {
    const { account } = verified
    const signedIn = await completeSignIn(tx, verified, deviceOf(request), factorOf(login))
    if (tx.storeId && account.type === 'customer') await mergeGuestCart(tx, account.id, request)
    return signedIn
  })
