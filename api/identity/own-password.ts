import type { Static } from 'typebox'
import { Type } from 'typebox'
import { takesPassword } from '#api/platform/input/takes-password.ts'
import type { RequestInfo } from '#api/platform/operation/request-info.ts'
import type { UnitOfWork } from '#api/platform/operation/unit-of-work.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { CREDENTIAL_ERRORS } from '#shared/identity/errors.ts'
import { callerByAccount } from '#shared/identity/passwords/hash-caller.ts'
import { hashPassword } from '#shared/identity/passwords/password.ts'
import { setPassword } from '#shared/identity/passwords/set-password.ts'
import { reauthenticate } from '#shared/identity/reauthentication/reauthenticate.ts'
import { nameLinkedIdentityProviders } from '#shared/identity-providers/name-linked-identity-providers.ts'
import type { CurrentAccount, OwnAccounts } from './own-account.ts'
import { deviceOf, proofOf, runInScope } from './request.ts'
import type { ChangePasswordRequest } from './schemas.ts'

/** Returns the operation with which account holders change their password. */
export const changePasswordOperation = <C>(accounts: OwnAccounts<C>) =>
  endpoint({
    method: 'post',
    path: `${accounts.base}/password`,
    access: accounts.access,
    audit: { action: accounts.audit.changePassword, resource: accounts.audit.resource },
    limits: [accounts.limit, limits.codes],
    ...takesPassword,
    summary: `Change ${accounts.possessive} password`,
    description:
      'Takes the present one, and with two-factor sign-in a `totp_code` or a `recovery_code`. All other sessions ' +
      'close, and a mail notifies the owner.',
    body: accounts.passwordBody,
    returns: [200, Type.Null()],
    errors: CREDENTIAL_ERRORS,
    example: {
      body: { current_password: 'correct horse battery', password: 'staple by staple' },
      data: null,
    },
    async handle(call) {
      await changePassword(accounts.currentOf(call), call)
      return null
    },
  })

interface PasswordCall {
  body: Static<typeof ChangePasswordRequest>
  request: RequestInfo
  unitOfWork: UnitOfWork
}

/** Changes a password after the present one was verified. The hash is made before the transaction. */
const changePassword = (
  { storeId, account, sessionId: keep }: CurrentAccount,
  { body, request, unitOfWork }: PasswordCall,
): Promise<void> =>
  reauthenticate(storeId, account, proofOf(body), async (lock) => {
    const passwordHash = await hashPassword(body.password, callerByAccount(storeId, account.id))
    const change = { passwordHash, device: deviceOf(request), keep, reason: 'password_changed' } as const
    await runInScope(unitOfWork, storeId, async (tx) => {
      const holder = await lock(tx)
      await setPassword(tx, holder, { ...change, providers: await nameLinkedIdentityProviders(tx, account) })
    })
  })
