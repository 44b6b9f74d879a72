import { Customer, viewCustomerEvent } from '#shared/customers/customer.ts'
import { indexCustomer } from '#shared/customers/customer-words.ts'
import { customerUpdated } from '#shared/customers/events.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { emit } from '#shared/platform/events/events.ts'
import { now } from '#shared/platform/time/clock.ts'

export interface ProfileChanges {
  firstname?: string | undefined
  lastname?: string | undefined
  telephone?: string | null | undefined
  acceptsMarketing?: boolean | undefined
  /** One of the store's languages. */
  language?: string | undefined
}

/** Changes the profile of a customer. Omitted fields stay. */
export async function updateProfile(tx: StoreTx, id: string, changes: ProfileChanges): Promise<Customer> {
  const [customer] = await Customer.in(tx)
    .where('id', id)
    .patch({ ...changes, updatedAt: now() })
    .returning('*')
  if (!customer) throw CommonErrors.notFound()
  await indexCustomer(tx, customer)
  await emit(tx, customerUpdated, viewCustomerEvent(customer))
  return customer
}
