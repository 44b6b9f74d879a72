import { type Device, NO_DEVICE } from '#shared/identity/device.ts'
import { deviceFacts } from '#shared/identity/mails/device.ts'
import { queueMailOfChange, toRecipient } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { apiTokenGrantedMail } from '#shared/staff/mails/api-token-granted.ts'
import { StaffMember } from '#shared/staff/staff-member.ts'
import type { ApiToken } from './api-token.ts'

/**
 * Mails the actor, the creator of an API token and the store's owner that it is new, or has more rights or time. A
 * token outlasts the session of the actor, which may be stolen.
 */
export async function mailTokenGrant(
  tx: StoreTx,
  { name, rights, expiresAt, createdBy }: ApiToken,
  actor: StaffMember,
  { isNew, device }: { isNew: boolean; device: Device },
): Promise<void> {
  const recipients = await StaffMember.in(tx)
    .where('is_active', true)
    .where((known) => known.whereIn('id', [actor.id, createdBy]).orWhere('is_owner', true))
  const token = { name, rights, expires_at: toTimestampOrNull(expiresAt) }
  for (const recipient of recipients) {
    const isOwn = recipient.id === actor.id
    const origin = { is_own: isOwn, granted_by: actor.email, ...deviceFacts(isOwn ? device : NO_DEVICE) }
    const data = { is_new: isNew, ...token, ...origin }
    await queueMailOfChange(tx, apiTokenGrantedMail, toRecipient(recipient), data, actor.id)
  }
}
