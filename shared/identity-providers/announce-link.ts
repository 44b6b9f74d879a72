import type { Device } from '#shared/identity/device.ts'
import { findHolder } from '#shared/identity/holder.ts'
import { deviceFacts } from '#shared/identity/mails/device.ts'
import { identityLinkedMail } from '#shared/identity/mails/identity-linked.ts'
import { notify } from '#shared/identity/mails/notify.ts'
import type { StoreAccount } from '#shared/identity/principal.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { IdentityProvider } from './identity-provider.ts'

/** Records that a provider was linked to an account that existed before, and notifies its holder. */
export async function announceLink(
  tx: StoreTx,
  { name }: IdentityProvider,
  account: StoreAccount,
  device: Device,
): Promise<void> {
  await recordSecurityEvent(tx, 'identity_linked', account, device)
  const holder = await findHolder(tx, account)
  await notify(tx, identityLinkedMail, holder, { provider: name, ...deviceFacts(device) })
}
