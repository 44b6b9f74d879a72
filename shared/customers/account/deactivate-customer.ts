import { Customer, viewCustomerEvent } from '#shared/customers/customer.ts'
import { customerDeleted } from '#shared/customers/events.ts'
import { revokeAccess } from '#shared/identity/sessions/revoke-access.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { emit } from '#shared/platform/events/events.ts'

/** Deactivates a customer and signs them out. The caller has locked the customer. A repeat changes nothing. */
export async function deactivateCustomer(tx: StoreTx, before: Customer): Promise<void> {
  if (!before.isActive) return
  await revokeAccess(tx, { type: 'customer', id: before.id }, 'switched_off')
  const customer = await Customer.in(tx).patchAndFetchById(before.id, {
    isActive: false,
    updatedAt: nextUpdatedAt(before),
  })
  await emit(tx, customerDeleted, viewCustomerEvent(customer))
}
