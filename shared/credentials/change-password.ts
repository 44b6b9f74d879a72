import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { type Confirmed, lockConfirmed } from './confirm-password.ts'
import { type NewPassword, setPassword } from './set-password.ts'

/** Changes the password of an account whose present one was given. The session `keep` goes on, all others close. */
export async function changePassword(
  tx: StoreTx,
  confirmed: Confirmed,
  change: Omit<NewPassword, 'reason'>,
): Promise<void> {
  const holder = await lockConfirmed(tx, confirmed)
  await setPassword(tx, holder, { ...change, reason: 'password_changed' })
}
