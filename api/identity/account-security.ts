import { account, type StoreContext } from '#api/platform/auth/access.ts'
import type { AccountCaller } from '#api/platform/auth/callers.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import type { OwnAccounts } from './own-account.ts'
import { changePasswordOperation } from './own-password.ts'
import { reauthenticateOperation } from './own-reauthentication.ts'
import { sessionOperations } from './own-sessions.ts'
import { twoFactorOperations } from './own-two-factor.ts'
import { ChangePasswordRequest } from './schemas.ts'

const accounts: OwnAccounts<StoreContext & { account: AccountCaller }> = {
  access: account,
  limit: limits.api,
  base: '/auth',
  audit: {
    resource: 'users',
    sessions: 'sessions',
    reauthenticate: 'postAuthReauthenticate',
    changePassword: 'postAuthPassword',
    closeSession: 'deleteAuthSessionsId',
    setUpTwoFactor: 'postAuth2faSetup',
    enableTwoFactor: 'postAuth2faEnable',
    disableTwoFactor: 'postAuth2faDisable',
    renewRecoveryCodes: 'postAuth2faRecoveryCodes',
  },
  possessive: 'your',
  sessionParam: 'id',
  passwordBody: ChangePasswordRequest,
  currentOf: ({ store, account: { type, id, sessionId } }) => ({
    storeId: store.id,
    account: { type, id },
    sessionId,
    issuer: store.name,
  }),
}

export const reauthenticate = reauthenticateOperation(accounts)
export const changeOwnPassword = changePasswordOperation(accounts)
export const { listOwnSessions, closeOwnSession } = sessionOperations(accounts)
export const { setUpTwoFactor, enableTwoFactor, disableTwoFactor, renewRecoveryCodes } =
  twoFactorOperations(accounts)
