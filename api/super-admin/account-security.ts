import type { OwnAccounts } from '#api/identity/own-account.ts'
import { changePasswordOperation } from '#api/identity/own-password.ts'
import { sessionOperations } from '#api/identity/own-sessions.ts'
import { twoFactorOperations } from '#api/identity/own-two-factor.ts'
import { type SuperAdmin, superAdmin } from '#api/platform/auth/access.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { config } from '#shared/platform/config/config.ts'
import { SuperAdminPasswordBody } from './schemas.ts'

// Super-admins secure their accounts by the same operations as customers and staff.
const superAdmins: OwnAccounts<{ superAdmin: SuperAdmin }> = {
  access: superAdmin,
  limit: limits.admin,
  base: '/super-admin/auth',
  audit: {
    resource: 'super-admins',
    sessions: 'auth/sessions',
    changePassword: 'postSuperAdminAuthPassword',
    closeSession: 'deleteSuperAdminAuthSessionsSessionId',
    setUp: 'postSuperAdminAuth2faSetup',
    enable: 'postSuperAdminAuth2faEnable',
    disable: 'postSuperAdminAuth2faDisable',
    renewCodes: 'postSuperAdminAuth2faRecoveryCodes',
  },
  possessive: "a super-admin's own",
  sessionParam: 'session_id',
  passwordBody: SuperAdminPasswordBody,
  recoveryHint: '`npm run super-admin -- <e-mail> --reset-2fa` on the server turns it off',
  currentOf: ({ superAdmin: { type, id, sessionId } }) => ({
    storeId: null,
    account: { type, id },
    sessionId,
    issuer: new URL(config().PUBLIC_URL).hostname,
  }),
}

export const changeOwnPassword = changePasswordOperation(superAdmins)
export const { listOwnSessions, closeOwnSession } = sessionOperations(superAdmins)
export const { setUp, enable, disable, renewCodes } = twoFactorOperations(superAdmins)
