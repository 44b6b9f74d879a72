import { Order } from '#shared/orders/order.ts'
import { type QueryBuilderType, raw } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { readStore } from '#shared/stores/store.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import type { Person } from './person.ts'

type VoucherOwner = Pick<Person, 'verifiedEmails' | 'orderIds'>

const IS_OF_ORDERS = 'order_id = any(?)'

/**
 * Returns a query of the gift vouchers of a person's orders, and of those that the person got. The giver's address does
 * not count: buyers and staff can enter any, and that of vouchers from staff is mostly the store's.
 */
const vouchersOfPerson = (
  tx: StoreTx,
  { verifiedEmails, orderIds }: VoucherOwner,
): QueryBuilderType<Voucher> =>
  Voucher.in(tx).where((either) =>
    either.whereRaw(IS_OF_ORDERS, [orderIds]).orWhereRaw('lower(to_email) = any(?)', [verifiedEmails]),
  )

/**
 * Returns the ids of the gift vouchers of a person's orders, and of those that the person got. It reads no other
 * columns: anyone can order gifts to a person's address without paying, and their messages would fill the memory.
 */
export const findVoucherIdsOfPerson = (tx: StoreTx, person: VoucherOwner): Promise<string[]> =>
  idsOf(vouchersOfPerson(tx, person))

/**
 * Returns the ids of the gift vouchers whose giver is a person: those that the person bought, under any name, and
 * those from the person's address that no other customer bought, because another account can have had the address
 * before. The store's own address counts for nobody: it is that of vouchers from staff.
 */
export async function findVoucherIdsOfGiver(
  tx: StoreTx,
  { customerId, verifiedEmails, orderIds }: VoucherOwner & Pick<Person, 'customerId'>,
): Promise<string[]> {
  const { email } = await readStore(tx)
  const ownEmails = verifiedEmails.filter((verified) => verified !== email.toLowerCase())
  const ordersOfOthers = Order.in(tx)
    .whereColumn('orders.id', 'vouchers.order_id')
    .whereNot('orders.customer_id', customerId)
  const given = Voucher.in(tx).where((either) =>
    either
      .whereRaw(`order_item_id is not null and ${IS_OF_ORDERS}`, [orderIds])
      .orWhere((from) =>
        from.whereRaw('lower(from_email) = any(?)', [ownEmails]).whereNotExists(ordersOfOthers),
      ),
  )
  return idsOf(given)
}

async function idsOf(query: QueryBuilderType<Voucher>): Promise<string[]> {
  const found: unknown = await query
    .select(raw("coalesce(array_agg(vouchers.id order by vouchers.id), '{}') as ids"))
    .first()
  return (found as { ids: string[] }).ids
}

/**
 * Returns a query of the gift vouchers of a person's orders, and of those that the person got, without those that
 * others ordered and have not paid: nobody has got them, and anyone could fill a person's export with them.
 */
export const ownedVouchersOf = (tx: StoreTx, person: VoucherOwner): QueryBuilderType<Voucher> =>
  vouchersOfPerson(tx, person).where((either) =>
    either.where('awaits_payment', false).orWhereRaw(IS_OF_ORDERS, [person.orderIds]),
  )
