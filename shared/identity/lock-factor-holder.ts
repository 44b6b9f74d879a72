import { twoFactorSwitchedMail } from '../accounts/mails/two-factor-switched.ts'
import { recordSecurityEvent } from '../accounts/security-event.ts'
import type { FactorHolder } from '../accounts/two-factor/factor-holder.ts'
import { factorOwner } from '../accounts/two-factor/factor-owner.ts'
import { queueNotice } from '../mail/queue-mail.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import type { Store } from '../stores/store.ts'
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
