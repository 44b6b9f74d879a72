import { Order } from '#shared/orders/order.ts'
import { type QueryBuilderType, raw } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import type { Person } from './person.ts'

type VoucherOwner = Pick<Person, 'customerId' | 'verifiedEmails' | 'orderIds'>

const IS_OF_ORDERS = 'order_id = any(?)'
const IS_TO = 'lower(to_email) = any(?)'

/**
 * Returns a query of the gift vouchers that a person bought, gave or got. Of those that other customers bought, only
 * the ones that the person got: another account can have had the person's address before, and gifts name their
 * recipients.
 */
function vouchersOfPerson(
  tx: StoreTx,
  { customerId, verifiedEmails, orderIds }: VoucherOwner,
): QueryBuilderType<Voucher> {
  const ordersOfOthers = Order.in(tx)
    .whereColumn('orders.id', 'vouchers.order_id')
    .whereNot('orders.customer_id', customerId)
  return Voucher.in(tx)
    .where((of) =>
      of
        .whereRaw(IS_OF_ORDERS, [orderIds])
        .orWhereRaw('lower(from_email) = any(?)', [verifiedEmails])
        .orWhereRaw(IS_TO, [verifiedEmails]),
    )
    .where((of) => of.whereRaw(IS_TO, [verifiedEmails]).orWhereNotExists(ordersOfOthers))
}

/**
 * Returns the ids of the gift vouchers that a person bought, gave or got. It reads no other columns: anyone can order
 * gifts to a person's address without paying, and their messages would fill the memory.
 */
export async function findVoucherIdsOfPerson(tx: StoreTx, person: VoucherOwner): Promise<string[]> {
  const found: unknown = await vouchersOfPerson(tx, person)
    .select(raw("coalesce(array_agg(vouchers.id order by vouchers.id), '{}') as ids"))
    .first()
  return (found as { ids: string[] }).ids
}

/**
 * Returns a query of the gift vouchers that a person bought, gave or got, without those that others ordered and have
 * not paid: nobody has got them, and anyone could fill a person's export with them.
 */
export const ownedVouchersOf = (tx: StoreTx, person: VoucherOwner): QueryBuilderType<Voucher> =>
  vouchersOfPerson(tx, person).where((of) =>
    of.where('awaits_payment', false).orWhereRaw(IS_OF_ORDERS, [person.orderIds]),
  )
