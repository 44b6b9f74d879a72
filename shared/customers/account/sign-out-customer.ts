import { LINK_PURPOSES, voidLinks } from '#shared/identity/links/link.ts'
import { closeSessionsOfAccount } from '#shared/identity/sessions/close-sessions.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** Closes the sessions of a customer and voids their mailed links. */
export async function signOutCustomer(tx: StoreTx, id: string): Promise<void> {
  const account = { type: 'customer', id } as const
  await closeSessionsOfAccount(tx, account, 'switched_off')
  await voidLinks(tx, account, ...LINK_PURPOSES)
}
