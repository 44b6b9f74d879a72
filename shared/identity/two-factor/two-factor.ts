import { type Static, Type } from 'typebox'
import { Shape } from '#shared/platform/http/schema.ts'
import { defineSecrets, type Sealer } from '#shared/platform/secrets/secrets.ts'
import { now } from '#shared/platform/time/clock.ts'
import { AuthErrors } from '../errors.ts'
import { type Account, type AccountType, type IdentityTx, rowsOf, tablesIn } from '../principal.ts'
import { countRecoveryCodes, deleteRecoveryCodes, replaceRecoveryCodes } from './recovery-code.ts'
import { newSecret, stepOf } from './totp.ts'

/** A second factor: a secret shared with an app (TOTP, RFC 6238). It counts once it is enabled. */
export interface TwoFactor {
  sealed_secret: string
  /** The time step of the last code that was accepted. */
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

/** Seals the secret to its account: copied to another account's row, it does not open. */
export const sealerOf = ({ storeId }: IdentityTx, { type, id }: Account): Sealer =>
  storeId
    ? twoFactorSecrets.of({ storeId, accountType: type as AccountType, accountId: id })
    : platformTwoFactorSecrets.of({ accountId: id })

/** The row of the account's second factor, enabled or not. */
export const twoFactorRow = (tx: IdentityTx, account: Account) =>
  tx.knex(tablesIn(tx).twoFactor).where(rowsOf(tx, account))

/** The account's second factor, enabled or not; undefined without one. */
export const findTwoFactor = async (tx: IdentityTx, account: Account): Promise<TwoFactor | undefined> =>
  twoFactorRow(tx, account).first()

/** Makes a secret to enable next, and replaces one that was not enabled. Throws `auth.totp_already_enabled`. */
export async function setUpTwoFactor(tx: IdentityTx, account: Account): Promise<string> {
  const table = tablesIn(tx).twoFactor
  const row = rowsOf(tx, account)
  const secret = newSecret()
  const written = await tx
    .knex(table)
    .insert({ ...row, sealed_secret: sealerOf(tx, account).seal(secret), created_at: now() })
    .onConflict(Object.keys(row))
    .merge(['sealed_secret', 'created_at'])
    .whereNull(`${table}.enabled_at`)
    .returning('created_at')
  if (!written.length) throw AuthErrors.totpAlreadyEnabled()
  return secret
}

/**
 * Enables two-factor sign-in with a code that shows that the app has the secret. Returns the ten recovery codes. Throws
 * `auth.totp_not_set_up`, `auth.totp_already_enabled`, `auth.totp_invalid`.
 */
export async function enableTwoFactor(tx: IdentityTx, account: Account, code: string): Promise<string[]> {
  const factor: TwoFactor | undefined = await twoFactorRow(tx, account).forNoKeyUpdate().first()
  if (!factor) throw AuthErrors.totpNotSetUp()
  if (factor.enabled_at) throw AuthErrors.totpAlreadyEnabled()
  const step = stepOf(sealerOf(tx, account).open(factor.sealed_secret), code)
  if (step === null) throw AuthErrors.totpInvalid()
  // The code is used up: somebody who saw it cannot sign in with it.
  await twoFactorRow(tx, account).update({ enabled_at: now(), last_step: step })
  return replaceRecoveryCodes(tx, account)
}

/** Disables two-factor sign-in: deletes secret and recovery codes. */
export async function disableTwoFactor(tx: IdentityTx, account: Account): Promise<void> {
  await twoFactorRow(tx, account).delete()
  await deleteRecoveryCodes(tx, account)
}

/** Two-factor sign-in as its owner sees it. */
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
