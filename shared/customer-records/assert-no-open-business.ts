import { Customer } from '#shared/customers/customer.ts'
import { CustomerErrors } from '#shared/customers/errors.ts'
import { findOrderIdsOfPerson } from '#shared/orders/buyers/find-order-ids-of-person.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { type BusinessScope, findOpenBusiness, type Visibility } from './find-open-business.ts'

/**
 * Locks a customer without open business, as `findOpenBusiness` defines it. Nobody can place an order for the
 * customer until the transaction ends, because the foreign key of an order waits for this lock. Throws
 * `resource.not_found` and `customer.has_open_business`.
 */
export async function lockCustomerWithoutOpenBusiness(
  tx: StoreTx,
  customerId: string,
  visibility: Visibility,
): Promise<Customer> {
  const customer = assertFound(await Customer.in(tx).findById(customerId).forUpdate())
  const orderIds = await findOrderIdsOfPerson(tx, { customerId, emails: [] })
  await assertNoOpenBusiness(tx, { customerId, orderIds }, visibility)
  return customer
}

/** Throws `customer.has_open_business` for what `findOpenBusiness` finds. */
export async function assertNoOpenBusiness(
  tx: StoreTx,
  scope: BusinessScope,
  visibility: Visibility,
): Promise<void> {
  const open = await findOpenBusiness(tx, scope, visibility)
  const isOpen = Object.values(open).some(({ named, others }) => named.length + others > 0)
  if (isOpen) throw CustomerErrors.hasOpenBusiness({ open })
}
