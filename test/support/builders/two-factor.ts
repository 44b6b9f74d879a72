import { generateSync } from 'otplib'
import type { Account, IdentityTx, StoreAccount } from '#shared/identity/principal.ts'
import { replaceRecoveryCodes } from '#shared/identity/two-factor/recovery-code.ts'
import { newSecret, stepOf } from '#shared/identity/two-factor/totp.ts'
import { markEnabled, upsertSecret } from '#shared/identity/two-factor/two-factor.ts'
import { inScope, inStore } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'

export const STEP_MS = 30_000

/** The code of an authenticator app at the service's time plus an offset. */
export const codeOf = (secret: string, driftMs = 0): string =>
  generateSync({ secret, epoch: Math.floor((now().getTime() + driftMs) / 1000) })

/** A well-formed code that is not valid now. */
export function wrongCode(secret: string): string {
  const right = [-STEP_MS, 0, STEP_MS].map((drift) => codeOf(secret, drift))
  return ['111111', '222222', '333333', '444444'].find((code) => !right.includes(code)) ?? ''
}

export interface BuiltTwoFactor {
  secret: string
  recoveryCodes: string[]
}

/** Enables two-factor sign-in for an account; this uses up the current code. */
export const buildTwoFactor = (store: { id: string }, account: StoreAccount): Promise<BuiltTwoFactor> =>
  inStore(store.id, (tx) => enable(tx, account))

/** Enables two-factor sign-in for a super-admin. */
export const buildSuperAdminTwoFactor = ({ id }: { id: string }): Promise<BuiltTwoFactor> =>
  inScope(null, (tx) => enable(tx, { type: 'super_admin', id }))

async function enable(tx: IdentityTx, account: Account): Promise<BuiltTwoFactor> {
  const secret = await buildTotpSecret(tx, account)
  await markEnabled(tx, account, stepOf(secret, codeOf(secret)) ?? 0)
  return { secret, recoveryCodes: await replaceRecoveryCodes(tx, account) }
}

/** Sets up a secret without enabling it. */
export async function buildTotpSecret(tx: IdentityTx, account: Account): Promise<string> {
  const secret = newSecret()
  await upsertSecret(tx, account, secret)
  return secret
}
