import type { Static, TObject, TString } from 'typebox'
import type { Access } from '#api/platform/auth/access.ts'
import type { UnitOfWork } from '#api/platform/operation/unit-of-work.ts'
import type { Limit } from '#api/platform/rate-limits/limits.ts'
import type { AccountHolder } from '#shared/identity/holder.ts'
import type { Account, IdentityTx } from '#shared/identity/principal.ts'
import { confirmPassword, lockConfirmed } from '#shared/identity/reauthentication/confirm-password.ts'
import { reauthenticate } from '#shared/identity/reauthentication/reauthenticate.ts'
import { proofOf, runInScope } from './request.ts'
import type { ConfirmSecondFactorRequest, secondFactor } from './schemas.ts'

/** The account of a call, and its store; null on the platform. */
export interface CurrentAccount {
  storeId: string | null
  account: Account
  sessionId: string
  /** The name that apps for two-factor codes show beside the account. */
  issuer: string
}

type OwnOperation =
  | 'reauthenticate'
  | 'changePassword'
  | 'closeSession'
  | 'setUpTwoFactor'
  | 'enableTwoFactor'
  | 'disableTwoFactor'
  | 'renewRecoveryCodes'

/**
 * A kind of accounts whose owners manage their own sign-in. The operations of all kinds differ only in paths and words.
 */
export interface OwnAccounts<C> {
  access: Access<C>
  limit: Limit
  base: '/auth' | '/super-admin/auth'
  /** The names of the resources and operations in the audit log. */
  audit: Record<'resource' | 'sessions' | OwnOperation, string>
  /** The possessive in summaries. */
  possessive: 'your' | "a super-admin's own"
  /** The name of the path parameter. */
  sessionParam: 'id' | 'session_id'
  passwordBody: TObject<{ current_password: TString; password: TString } & typeof secondFactor>
  /** A clause of descriptions: how to recover an account without its app and recovery codes. */
  recoveryHint?: string
  currentOf(call: Omit<C, 'tx'>): CurrentAccount
}

/** The call of an operation that opens its own transactions. */
export type OwnAccountCall<C> = Omit<C, 'tx'> & { unitOfWork: UnitOfWork }

/** Makes a sensitive change with the account locked, after password and second factor were verified. */
export async function changeReauthenticated<C, T>(
  accounts: OwnAccounts<C>,
  call: OwnAccountCall<C> & { body: Static<typeof ConfirmSecondFactorRequest> },
  work: (tx: IdentityTx, holder: AccountHolder) => Promise<T>,
): Promise<T> {
  const { storeId, account } = accounts.currentOf(call)
  return reauthenticate(storeId, account, proofOf(call.body), (lock) =>
    runInScope(call.unitOfWork, storeId, async (tx) => work(tx, await lock(tx))),
  )
}

/**
 * Verifies the present password. It asks for no second factor, because the account has none yet. Returns the account,
 * and a function that makes a change with the account locked.
 */
export async function confirmCurrentPassword<C>(
  accounts: OwnAccounts<C>,
  call: OwnAccountCall<C> & { body: { current_password: string } },
) {
  const current = accounts.currentOf(call)
  const { storeId, account } = current
  const confirmed = await confirmPassword(storeId, account, call.body.current_password)
  const change = <T>(work: (tx: IdentityTx, holder: AccountHolder) => Promise<T>): Promise<T> =>
    runInScope(call.unitOfWork, storeId, async (tx) => work(tx, await lockConfirmed(tx, confirmed)))
  return { current, change }
}
