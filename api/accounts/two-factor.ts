import { account } from '#api/platform/auth/access.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { confirmPassword } from '#shared/credentials/confirm-password.ts'
import { lockFactorHolder } from '#shared/credentials/lock-factor-holder.ts'
import { twoFactorOperations } from './two-factor-operations.ts'

export const { setUp, enable, disable, renewCodes } = twoFactorOperations({
  access: account,
  limit: limits.api,
  base: '/auth',
  audit: {
    resource: 'users',
    setUp: 'postAuth2faSetup',
    enable: 'postAuth2faEnable',
    disable: 'postAuth2faDisable',
    renewCodes: 'postAuth2faRecoveryCodes',
  },
  factor: 'two-factor sign-in',
  async confirmed({ store, account, unitOfWork }, password) {
    const confirmed = await confirmPassword(store.id, account, password)
    return {
      id: account.id,
      change: (work) =>
        unitOfWork.inStore(store.id, async (tx) => work(await lockFactorHolder(tx, confirmed, store))),
    }
  },
})
