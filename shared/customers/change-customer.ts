import { now } from '../platform/clock.ts'
import { CommonErrors } from '../platform/errors.ts'
import { emit } from '../platform/events.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { Customer } from './customer.ts'
import { customerUpdated } from './events.ts'
import { viewCustomer } from './view.ts'

export interface CustomerChanges {
  firstname?: string | undefined
  lastname?: string | undefined
  telephone?: string | null | undefined
  acceptsMarketing?: boolean | undefined
  /** One of the store's. */
  language?: string | undefined
}

/** Changes what is given and leaves the rest. */
export async function changeCustomer(tx: StoreTx, id: string, changes: CustomerChanges): Promise<Customer> {
  const [customer] = await Customer.in(tx)
    .where('id', id)
    .patch({ ...changes, updatedAt: now() })
    .returning('*')
  if (!customer) throw CommonErrors.notFound()
  await emit(tx, customerUpdated, viewCustomer(customer))
  return customer
}
