import { generateSync } from 'otplib'
import type { Account, IdentityTx, StoreAccount } from '#shared/identity/principal.ts'
import { enableTwoFactor, setUpTwoFactor } from '#shared/identity/two-factor/two-factor.ts'
import { inScope, inStore } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'

export const STEP_MS = 30_000

/** What an app that holds the secret shows at the service's time, or so much later or earlier. */
export const codeOf = (secret: string, driftMs = 0): string =>
  generateSync({ secret, epoch: Math.floor((now().getTime() + driftMs) / 1000) })

/** A code of the right form that is not accepted now. */
export function wrongCode(secret: string): string {
  const right = [-STEP_MS, 0, STEP_MS].map((drift) => codeOf(secret, drift))
  return ['111111', '222222', '333333', '444444'].find((code) => !right.includes(code)) ?? ''
}

export interface BuiltTwoFactor {
  secret: string
  recoveryCodes: string[]
}

/** Switches an account's two-factor sign-in on; the present code is used up by it. */
export const buildTwoFactor = (store: { id: string }, account: StoreAccount): Promise<BuiltTwoFactor> =>
  inStore(store.id, (tx) => switchOn(tx, account))

/** The same for a super-admin. */
export const buildSuperAdminTwoFactor = ({ id }: { id: string }): Promise<BuiltTwoFactor> =>
  inScope(null, (tx) => switchOn(tx, { type: 'super_admin', id }))

async function switchOn(tx: IdentityTx, account: Account): Promise<BuiltTwoFactor> {
  const secret = await setUpTwoFactor(tx, account)
  return { secret, recoveryCodes: await enableTwoFactor(tx, account, codeOf(secret)) }
}
