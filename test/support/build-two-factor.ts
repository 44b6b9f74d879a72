import { generateSync } from 'otplib'
import type { AccountName } from '#shared/identity/account.ts'
import { type FactorOwner, factorOwner } from '#shared/identity/two-factor/factor-owner.ts'
import { enableTwoFactor, setUpTwoFactor } from '#shared/identity/two-factor/switch.ts'
import { inPlatform, inStore } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { factorOwner as factorOfSuperAdmin } from '#shared/super-admin/factor-owner.ts'

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

/** Switches an account's two-factor sign-in on; the present code is spent by it. */
export const buildTwoFactor = (store: { id: string }, account: AccountName): Promise<BuiltTwoFactor> =>
  inStore(store.id, (tx) => switchOn(factorOwner(tx, account)))

/** The same for a super-admin. */
export const buildSuperAdminTwoFactor = ({ id }: { id: string }): Promise<BuiltTwoFactor> =>
  inPlatform((knex) => switchOn(factorOfSuperAdmin(knex, id)))

async function switchOn(owner: FactorOwner): Promise<BuiltTwoFactor> {
  const secret = await setUpTwoFactor(owner)
  return { secret, recoveryCodes: await enableTwoFactor(owner, codeOf(secret)) }
}
