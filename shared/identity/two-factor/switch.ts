import { now } from '#shared/platform/time/clock.ts'
import { AuthErrors } from '../errors.ts'
import type { FactorOwner } from './factor-owner.ts'
import { deleteRecoveryCodes, replaceRecoveryCodes } from './recovery-code.ts'
import { newSecret, stepOf } from './totp.ts'
import { factorRow, type TwoFactor } from './two-factor.ts'

/** Makes a secret to switch on next; one that was not switched on is replaced. `auth.totp_already_enabled` otherwise. */
export async function setUpTwoFactor(owner: FactorOwner): Promise<string> {
  const { knex, tables, columns } = owner
  const secret = newSecret()
  const written = await knex(tables.factors)
    .insert({ ...columns, sealed_secret: owner.secret.seal(secret), created_at: now() })
    .onConflict(Object.keys(columns))
    .merge(['sealed_secret', 'created_at'])
    .whereNull(`${tables.factors}.enabled_at`)
    .returning('created_at')
  if (!written.length) throw AuthErrors.totpAlreadyEnabled()
  return secret
}

/**
 * Switches two-factor sign-in on for who shows that their app has the secret, and returns the ten recovery codes.
 * Throws `auth.totp_not_set_up`, `auth.totp_already_enabled`, `auth.totp_invalid`.
 */
export async function enableTwoFactor(owner: FactorOwner, code: string): Promise<string[]> {
  const factor: TwoFactor | undefined = await factorRow(owner).forNoKeyUpdate().first()
  if (!factor) throw AuthErrors.totpNotSetUp()
  if (factor.enabled_at) throw AuthErrors.totpAlreadyEnabled()
  const step = stepOf(owner.secret.open(factor.sealed_secret), code)
  if (step === null) throw AuthErrors.totpInvalid()
  // The code is spent with it: whoever looked on cannot sign in by it.
  await factorRow(owner).update({ enabled_at: now(), last_step: step })
  return replaceRecoveryCodes(owner)
}

/** Switches two-factor sign-in off: secret and recovery codes are deleted. */
export async function disableTwoFactor(owner: FactorOwner): Promise<void> {
  await factorRow(owner).delete()
  await deleteRecoveryCodes(owner)
}
