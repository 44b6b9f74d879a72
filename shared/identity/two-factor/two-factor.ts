import { type Static, Type } from 'typebox'
import { AuthErrors } from '#shared/identity/errors.ts'
import {
  type Account,
  type AccountType,
  type IdentityTx,
  rowsOf,
  tablesIn,
} from '#shared/identity/principal.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import { defineSecrets, type Sealer } from '#shared/platform/secrets/secrets.ts'
import { now } from '#shared/platform/time/clock.ts'
import { countRecoveryCodes, deleteRecoveryCodes } from './recovery-code.ts'

/** A second factor: a secret that an app knows (TOTP, RFC 6238). It is required once it is enabled. */
export interface TwoFactor {
  sealed_secret: string
  /** The time step of the last accepted code. */
  last_step: number
  created_at: Date
  enabled_at: Date | null
}

interface SecretRow {
  storeId: string
  accountType: AccountType
  accountId: string
}

export const twoFactorSecrets = defineSecrets(
  'second factors of customers and staff',
  { scope: 'store', table: 'two_factor', columns: ['sealed_secret'] },
  ({ storeId, accountType, accountId }: SecretRow) => `two_factor ${storeId} ${accountType} ${accountId}`,
)

export const platformTwoFactorSecrets = defineSecrets(
  'second factors of super-admins',
  { scope: 'platform', table: 'super_admin_two_factor', columns: ['sealed_secret'] },
  ({ accountId }: { accountId: string }) => `two_factor super_admin ${accountId}`,
)

/** Returns the sealer of an account's secret. A secret in another account's row cannot be decrypted. */
export const sealerOf = ({ storeId }: IdentityTx, { type, id }: Account): Sealer =>
  storeId
    ? twoFactorSecrets.of({ storeId, accountType: type as AccountType, accountId: id })
    : platformTwoFactorSecrets.of({ accountId: id })

/** Returns the row of the account's second factor, enabled or not. */
export const twoFactorRow = (tx: IdentityTx, account: Account) =>
  tx.knex(tablesIn(tx).twoFactor).where(rowsOf(tx, account))

/** Returns the account's second factor, enabled or not; undefined without one. */
export const findTwoFactor = async (tx: IdentityTx, account: Account): Promise<TwoFactor | undefined> =>
  twoFactorRow(tx, account).first()

/** Returns the account's second factor, and locks its row. */
export const lockTwoFactor = async (tx: IdentityTx, account: Account): Promise<TwoFactor | undefined> =>
  twoFactorRow(tx, account).forNoKeyUpdate().first()

/** Saves a secret that is not enabled yet, in place of an earlier one. Throws `auth.totp_already_enabled`. */
export async function upsertSecret(tx: IdentityTx, account: Account, secret: string): Promise<void> {
  const table = tablesIn(tx).twoFactor
  const row = rowsOf(tx, account)
  const written = await tx
    .knex(table)
    .insert({ ...row, sealed_secret: sealerOf(tx, account).seal(secret), created_at: now() })
    .onConflict(Object.keys(row))
    .merge(['sealed_secret', 'created_at'])
    .whereNull(`${table}.enabled_at`)
    .returning('created_at')
  if (!written.length) throw AuthErrors.totpAlreadyEnabled()
}

/** Marks the second factor as enabled; `step` is the time step of the accepted code. */
export async function markEnabled(tx: IdentityTx, account: Account, step: number): Promise<void> {
  await twoFactorRow(tx, account).update({ enabled_at: now(), last_step: step })
}

/** Deletes the secret and the recovery codes. Does not record it or notify the holder. */
export async function deleteSecondFactor(tx: IdentityTx, account: Account): Promise<void> {
  await twoFactorRow(tx, account).delete()
  await deleteRecoveryCodes(tx, account)
}

/** Throws `auth.totp_not_enabled` if the account has no second factor. */
export async function assertTwoFactorEnabled(tx: IdentityTx, account: Account): Promise<void> {
  const factor = await findTwoFactor(tx, account)
  if (!factor?.enabled_at) throw AuthErrors.totpNotEnabled()
}

/** The state of two-factor sign-in that its owner sees. */
export interface TwoFactorState {
  isEnabled: boolean
  recoveryCodesRemaining: number
}

export async function readTwoFactor(tx: IdentityTx, account: Account): Promise<TwoFactorState> {
  const factor = await findTwoFactor(tx, account)
  if (!factor?.enabled_at) return { isEnabled: false, recoveryCodesRemaining: 0 }
  return { isEnabled: true, recoveryCodesRemaining: await countRecoveryCodes(tx, account) }
}

/** The second factor in a profile. */
export const twoFactorProperties = {
  two_factor_enabled: Type.Boolean(),
  recovery_codes_remaining: Type.Integer({ minimum: 0 }),
}

const TwoFactorProperties = Shape(twoFactorProperties)

export const viewTwoFactor = (state: TwoFactorState): Static<typeof TwoFactorProperties> => ({
  two_factor_enabled: state.isEnabled,
  recovery_codes_remaining: state.recoveryCodesRemaining,
})

export const TwoFactorSetupView = Shape({
  secret: Type.String({ description: 'Base32, for typing it in' }),
  otpauth_uri: Type.String(),
  qr_svg: Type.String({ description: 'The same address as a picture' }),
})

export const RecoveryCodesView = Shape({ recovery_codes: Type.Array(Type.String()) })
