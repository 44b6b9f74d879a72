import { hashPassword } from '../accounts/password.ts'
import type { Device } from '../accounts/session.ts'
import { inStore } from '../platform/store-scope.ts'
import { type Confirmed, lockConfirmed } from './confirm-password.ts'
import { setPassword } from './set-password.ts'

/** Changes the password of an account whose present one was given. The session `keep` goes on, all others close. */
export async function changePassword(
  confirmed: Confirmed,
  { password, device, keep }: { password: string; device: Device; keep: string },
): Promise<void> {
  const passwordHash = await hashPassword(password)
  await inStore(confirmed.storeId, async (tx) => {
    const holder = await lockConfirmed(tx, confirmed)
    await setPassword(tx, holder, { passwordHash, reason: 'password_changed', device, keep })
  })
}
