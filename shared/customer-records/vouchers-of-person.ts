import { type QueryBuilderType, raw } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import type { Person } from './person.ts'

type VoucherOwner = Pick<Person, 'verifiedEmails' | 'orderIds'>

const IS_OF_ORDERS = 'order_id = any(?)'

/**
 * Returns a query of the gift vouchers of a person's orders, and of those that the person got. The giver's address does
 * not count: buyers and staff can enter any, and that of vouchers from staff is the store's.
 */
const vouchersOfPerson = (
  tx: StoreTx,
  { verifiedEmails, orderIds }: VoucherOwner,
): QueryBuilderType<Voucher> =>
  Voucher.in(tx).where((of) =>
    of.whereRaw(IS_OF_ORDERS, [orderIds]).orWhereRaw('lower(to_email) = any(?)', [verifiedEmails]),
  )

/**
 * Returns the ids of the gift vouchers of a person's orders, and of those that the person got. It reads no other
 * columns: anyone can order gifts to a person's address without paying, and their messages would fill the memory.
 */
export async function findVoucherIdsOfPerson(tx: StoreTx, person: VoucherOwner): Promise<string[]> {
  const found: unknown = await vouchersOfPerson(tx, person)
    .select(raw("coalesce(array_agg(vouchers.id order by vouchers.id), '{}') as ids"))
    .first()
  return (found as { ids: string[] }).ids
}

/**
 * Returns a query of the gift vouchers of a person's orders, and of those that the person got, without those that
 * others ordered and have not paid: nobody has got them, and anyone could fill a person's export with them.
 */
export const ownedVouchersOf = (tx: StoreTx, person: VoucherOwner): QueryBuilderType<Voucher> =>
  vouchersOfPerson(tx, person).where((of) =>
    of.where('awaits_payment', false).orWhereRaw(IS_OF_ORDERS, [person.orderIds]),
  )
