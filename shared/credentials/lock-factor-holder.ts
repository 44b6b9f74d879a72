import { twoFactorSwitchedMail } from '#shared/identity/mails/two-factor-switched.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import type { FactorHolder } from '#shared/identity/two-factor/factor-holder.ts'
import { factorOwner } from '#shared/identity/two-factor/factor-owner.ts'
import { queueNotice } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Store } from '#shared/stores/store.ts'
import { type Confirmed, lockConfirmed } from './confirm-password.ts'

/** Locks the account whose password was just given, to change something about its second factor. */
export async function lockFactorHolder(
  tx: StoreTx,
  confirmed: Confirmed,
  { name: issuer }: Store,
): Promise<FactorHolder> {
  const holder = await lockConfirmed(tx, confirmed)
  return {
    owner: factorOwner(tx, holder.account),
    shown: { issuer, label: holder.email },
    tell: (data) => queueNotice(tx, twoFactorSwitchedMail, holder, data),
    note: (kind, device) => recordSecurityEvent(tx, kind, holder.account, device),
  }
}
