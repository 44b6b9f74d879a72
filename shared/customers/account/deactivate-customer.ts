import { Customer, viewCustomerEvent } from '#shared/customers/customer.ts'
import { customerDeleted } from '#shared/customers/events.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { emit } from '#shared/platform/events/events.ts'
import { signOutCustomer } from './sign-out-customer.ts'

/** Deactivates a customer and signs them out. The caller has locked the customer. A repeat changes nothing. */
export async function deactivateCustomer(tx: StoreTx, before: Customer): Promise<void> {
  if (!before.isActive) return
  await signOutCustomer(tx, before.id)
  const customer = await Customer.in(tx).patchAndFetchById(before.id, {
    isActive: false,
    updatedAt: nextUpdatedAt(before),
  })
  await emit(tx, customerDeleted, viewCustomerEvent(customer))
}
