import { twoFactorOperations } from '#api/accounts/two-factor-operations.ts'
import { superAdmin } from '#api/platform/auth/access.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { confirmPassword } from '#shared/super-admin/confirm-password.ts'
import { lockFactorHolder } from '#shared/super-admin/lock-factor-holder.ts'

// As the accounts of stores have them, in the platform's own transactions.
export const { setUp, enable, disable, renewCodes } = twoFactorOperations({
  access: superAdmin,
  limit: limits.admin,
  base: '/super-admin/auth',
  audit: {
    resource: 'super-admins',
    setUp: 'postSuperAdminAuth2faSetup',
    enable: 'postSuperAdminAuth2faEnable',
    disable: 'postSuperAdminAuth2faDisable',
    renewCodes: 'postSuperAdminAuth2faRecoveryCodes',
  },
  factor: "a super-admin's two-factor sign-in",
  lost: 'asks who has the server: `npm run super-admin` switches it off',
  async confirmed({ superAdmin, unitOfWork }, password) {
    const confirmed = await confirmPassword(superAdmin, password)
    return {
      id: superAdmin.id,
      change: (work) => unitOfWork.inPlatform(async (knex) => work(await lockFactorHolder(knex, confirmed))),
    }
  },
})
