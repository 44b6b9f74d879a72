import { Order } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** Returns the orders of a customer, and guests' orders with one of these e-mail addresses, which are in lower case. */
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
