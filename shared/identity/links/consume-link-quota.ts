import { emailScopeOf, normalizeEmail } from '#shared/identity/email.ts'
import type { AccountType } from '#shared/identity/principal.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { consumeQuotaIn } from '#shared/platform/throttle/quota.ts'
import { HOUR_MS } from '#shared/platform/time/clock.ts'
import { type LinkPurpose, MAX_LINKS_PER_HOUR } from './link.ts'

/**
 * Counts a mailed link by the mailbox, which may be somebody else's. The limit of an account is not enough: many
 * accounts could mail to one address in turn, each deleted before the next registers. Returns the end of the hour if
 * the mailbox got five links of this purpose, else null.
 */
export async function consumeLinkQuota(
  tx: StoreTx,
  purpose: LinkPurpose,
  { type, email }: { type: AccountType; email: string },
): Promise<Date | null> {
  const subject = `mailed links ${purpose} ${emailScopeOf(tx.storeId, type)} ${normalizeEmail(email)}`
  const { granted, endsAt } = await consumeQuotaIn(tx, subject, {
    limit: MAX_LINKS_PER_HOUR,
    windowMs: HOUR_MS,
  })
  return granted ? null : endsAt
}
