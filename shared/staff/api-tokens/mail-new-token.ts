import type { Device } from '#shared/identity/device.ts'
import { deviceFacts } from '#shared/identity/mails/device.ts'
import { queueNotice, toRecipient } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { toTimestampOrNull } from '#shared/platform/http/schema.ts'
import { apiTokenCreatedMail } from '#shared/staff/mails/api-token-created.ts'
import { findOwnerIfAny, type StaffMember } from '#shared/staff/staff-member.ts'
import type { ApiToken } from './api-token.ts'

const NO_DEVICE = { ip: null, userAgent: null }

/**
 * Mails the creator of an API token, and the owner if that is another person. The token outlasts the session that
 * created it, so a thief of a session could have.
 */
export async function mailNewToken(
  tx: StoreTx,
  { name, rights, expiresAt }: ApiToken,
  creator: StaffMember,
  device: Device,
): Promise<void> {
  const token = { created_by: creator.email, name, rights, expires_at: toTimestampOrNull(expiresAt) }
  const own = { ...token, is_own: true, ...deviceFacts(device) }
  await queueNotice(tx, apiTokenCreatedMail, toRecipient(creator), own)
  const owner = await findOwnerIfAny(tx)
  if (!owner?.isActive || owner.id === creator.id) return
  const others = { ...token, is_own: false, ...deviceFacts(NO_DEVICE) }
  await queueNotice(tx, apiTokenCreatedMail, toRecipient(owner), others)
}
