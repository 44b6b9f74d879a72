import { isSameMailbox, normalizeEmail } from '#shared/identity/email.ts'
import { deviceFacts } from '#shared/identity/mails/device.ts'
import { twoFactorSwitchedMail } from '#shared/identity/mails/two-factor-switched.ts'
import { closeSessionsOfAccount } from '#shared/identity/sessions/close-sessions.ts'
import { deleteSecondFactor } from '#shared/identity/two-factor/two-factor.ts'
import { queuePlatformMail } from '#shared/mail/queue-mail.ts'
import { inPlatform } from '#shared/platform/db/store-scope.ts'
import { COMMAND_LINE, recordCommand } from './record-command.ts'
import type { SuperAdmin } from './super-admin.ts'

/**
 * Switches two-factor sign-in off for a super-admin who has lost the app and the recovery codes. Closes all sessions,
 * because the lost device may have one. The password stays. Returns false if nobody has the address.
 */
export const resetTwoFactor = (email: string): Promise<boolean> =>
  inPlatform(async (tx) => {
    const found: SuperAdmin | undefined = await tx
      .knex('super_admins')
      .where('email_normalized', normalizeEmail(email))
      .forNoKeyUpdate()
      .first('id', 'email')
    // An equal normalized address may be another mailbox.
    if (!found || !isSameMailbox(found.email, email)) return false
    const account = { type: 'super_admin', id: found.id } as const
    await deleteSecondFactor(tx, account)
    await closeSessionsOfAccount(tx, account, 'revoked')
    const switchedOff = { is_on: false, ...deviceFacts(COMMAND_LINE) }
    await queuePlatformMail(tx, twoFactorSwitchedMail, found.email, switchedOff)
    await recordCommand(tx, found, 'resetTwoFactor')
    return true
  })
