import { Type } from 'typebox'
import { takesPassword } from '#api/platform/input/takes-password.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { CREDENTIAL_ERRORS } from '#shared/identity/errors.ts'
import { callerByAccount } from '#shared/identity/passwords/hash-caller.ts'
import { hashPassword } from '#shared/identity/passwords/password.ts'
import { setPassword } from '#shared/identity/passwords/set-password.ts'
import { reauthenticate } from '#shared/identity/reauthentication/reauthenticate.ts'
import { nameLinkedProviders } from '#shared/identity-providers/name-linked-providers.ts'
import type { OwnAccounts } from './own-account.ts'
import { deviceOf, proofOf, runInScope } from './request.ts'

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
      const { storeId, account, sessionId: keep } = accounts.currentOf(call)
      const device = deviceOf(call.request)
      await reauthenticate(storeId, account, proofOf(call.body), async (lock) => {
        const passwordHash = await hashPassword(call.body.password, callerByAccount(storeId, account.id))
        const given = { passwordHash, device, keep, reason: 'password_changed' } as const
        await runInScope(call.unitOfWork, storeId, async (tx) => {
          const holder = await lock(tx)
          await setPassword(tx, holder, { ...given, providers: await nameLinkedProviders(tx, account) })
        })
      })
      return null
    },
  })
