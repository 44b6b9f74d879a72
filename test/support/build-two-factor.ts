import { generateSync } from 'otplib'
import type { AccountName } from '#shared/accounts/account-name.ts'
import { factorOwner } from '#shared/accounts/two-factor/factor-owner.ts'
import { enableTwoFactor, setUpTwoFactor } from '#shared/accounts/two-factor/switch.ts'
import { now } from '#shared/platform/clock.ts'
import { inStore } from '#shared/platform/store-scope.ts'

export const STEP_MS = 30_000

/** What an app that holds the secret shows at the service's time, or so much later or earlier. */
export const codeOf = (secret: string, driftMs = 0): string =>
  generateSync({ secret, epoch: Math.floor((now().getTime() + driftMs) / 1000) })

/** A code of the right form that is not accepted now. */
export function wrongCode(secret: string): string {
  const right = [-STEP_MS, 0, STEP_MS].map((drift) => codeOf(secret, drift))
  return ['111111', '222222', '333333', '444444'].find((code) => !right.includes(code)) ?? ''
}

/** Switches an account's two-factor sign-in on; the present code is spent by it. */
export async function buildTwoFactor(
  store: { id: string },
  account: AccountName,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  return inStore(store.id, async (tx) => {
    const owner = factorOwner(tx, account)
    const secret = await setUpTwoFactor(owner)
    return { secret, recoveryCodes: await enableTwoFactor(owner, codeOf(secret)) }
  })
}
