import type { OwnAccounts } from '#api/identity/own-account.ts'
import { changePasswordOperation } from '#api/identity/own-password.ts'
import { reauthenticateOperation } from '#api/identity/own-reauthentication.ts'
import { sessionOperations } from '#api/identity/own-sessions.ts'
import { twoFactorOperations } from '#api/identity/own-two-factor.ts'
import { superAdmin } from '#api/platform/auth/access.ts'
import type { SuperAdminCaller } from '#api/platform/auth/callers.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { config } from '#shared/platform/config/config.ts'
import { ChangeSuperAdminPasswordRequest } from './schemas.ts'

// Super-admins have the same operations for their accounts as customers and staff.
const superAdmins: OwnAccounts<{ superAdmin: SuperAdminCaller }> = {
  access: superAdmin,
  limit: limits.admin,
  base: '/super-admin/auth',
  audit: {
    resource: 'super-admins',
    sessions: 'auth/sessions',
    reauthenticate: 'postSuperAdminAuthReauthenticate',
    changePassword: 'postSuperAdminAuthPassword',
    closeSession: 'deleteSuperAdminAuthSessionsSessionId',
    setUpTwoFactor: 'postSuperAdminAuth2faSetup',
    enableTwoFactor: 'postSuperAdminAuth2faEnable',
    disableTwoFactor: 'postSuperAdminAuth2faDisable',
    renewRecoveryCodes: 'postSuperAdminAuth2faRecoveryCodes',
  },
  possessive: "a super-admin's own",
  sessionParam: 'session_id',
  passwordBody: ChangeSuperAdminPasswordRequest,
  recoveryHint: '`npm run super-admin -- <e-mail> --reset-2fa` on the server turns it off',
  currentOf: ({ superAdmin: { type, id, sessionId } }) => ({
    storeId: null,
    account: { type, id },
    sessionId,
    issuer: new URL(config().PUBLIC_URL).hostname,
  }),
}

export const reauthenticate = reauthenticateOperation(superAdmins)
export const changeOwnPassword = changePasswordOperation(superAdmins)
export const { listOwnSessions, closeOwnSession } = sessionOperations(superAdmins)
export const { setUpTwoFactor, enableTwoFactor, disableTwoFactor, renewRecoveryCodes } =
  twoFactorOperations(superAdmins)
