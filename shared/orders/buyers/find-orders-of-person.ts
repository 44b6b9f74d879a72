import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Order } from '../order.ts'

/** The orders of a customer, and those that a guest placed with one of these addresses, in lower case. */
export const findOrdersOfPerson = (
  tx: StoreTx,
  { customerId, emails }: { customerId: string; emails: readonly string[] },
): PromiseLike<Pick<Order, 'id' | 'email'>[]> =>
  Order.in(tx)
    .select('id', 'email')
    .where((of) =>
      of
        .where('customer_id', customerId)
        .orWhere((guest) => guest.whereNull('customer_id').whereRaw('lower(email) = any(?)', [emails])),
    )
