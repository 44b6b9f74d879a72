import { issueLink } from '#shared/identity/links/link.ts'
import { queueMailByStaff, toRecipient } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { invitationMail } from '#shared/staff/mails/invitation.ts'
import type { StaffMember } from '#shared/staff/staff-member.ts'

const LIFETIME_MS = 7 * DAY_MS

/** Mails a new staff member a link to set a password (POST /auth/password/reset). */
export async function invite(tx: StoreTx, { id, email }: StaffMember): Promise<void> {
  const link = await issueLink(tx, { type: 'staff', id }, 'reset_password', { lifetimeMs: LIFETIME_MS })
  if (!link) throw new Error('A new member of the staff was given links before')
  await queueMailByStaff(
    tx,
    invitationMail,
    toRecipient({ id, email }),
    { token: link.token },
    { expiresAt: link.expiresAt },
  )
}
