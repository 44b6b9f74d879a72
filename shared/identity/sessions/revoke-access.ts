import { LINK_PURPOSES, voidLinks } from '#shared/identity/links/link.ts'
import type { StoreAccount } from '#shared/identity/principal.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { closeSessionsOfAccount } from './close-sessions.ts'
import type { ClosedReason } from './session.ts'

/**
 * Closes the sessions of an account, but not `except`, and voids its mailed links. Old sessions and links stay closed
 * if the account is activated again.
 */
export async function revokeAccess(
  tx: StoreTx,
  account: StoreAccount,
  reason: ClosedReason,
  { except }: { except?: string | undefined } = {},
): Promise<void> {
  await closeSessionsOfAccount(tx, account, reason, { except })
  await voidLinks(tx, account, ...LINK_PURPOSES)
}
