import { setCustomerPassword } from '#shared/customers/set-password.ts'
import { holdersOf } from '#shared/identity/email.ts'
import { voidLinks } from '#shared/identity/links/use-link.ts'
import { deviceFacts } from '#shared/identity/mails/device.ts'
import { passwordChangedMail } from '#shared/identity/mails/password-changed.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import { closeAllSessions } from '#shared/identity/sessions/close-sessions.ts'
import type { Device } from '#shared/identity/sessions/session.ts'
import { forgetFailures } from '#shared/identity/throttling/failed-sign-ins.ts'
import { queueNotice } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { setStaffPassword } from '#shared/staff/set-password.ts'
import type { Holder } from './holder.ts'

/** The hash of another password, and why and from where an account is given it. */
export interface NewPassword {
  passwordHash: string
  reason: 'password_changed' | 'password_reset'
  device: Device
  /** The session that goes on. */
  keep?: string
}

/**
 * Gives an account another password: its sessions close and its holder is told. Links to reset it are void, and those
 * to change the address: whoever knew the password so far may have asked for them. Forgotten is what failed of sign-ins,
 * strangers' and this device's, and of confirmations; not the codes that are counted by themselves (failed-codes.ts).
 */
export async function setPassword(
  tx: StoreTx,
  holder: Holder,
  { passwordHash, reason, device, keep }: NewPassword,
): Promise<void> {
  const { account } = holder
  await (account.type === 'customer' ? setCustomerPassword : setStaffPassword)(tx, account.id, passwordHash)
  await closeAllSessions(tx, account, reason, keep ? { except: keep } : {})
  await voidLinks(tx, account, 'reset_password', 'change_email')
  await recordSecurityEvent(tx, reason, account, device)
  const whose = holdersOf(tx.storeId, account.type)
  await forgetFailures(tx.knex, { whose, id: account.id, email: holder.email, device })
  await queueNotice(tx, passwordChangedMail, holder, deviceFacts(device))
}
