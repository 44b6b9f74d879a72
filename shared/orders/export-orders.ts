import type { CsvColumn, CsvFile } from '#shared/platform/csv/csv-file.ts'
import { exportList, fieldColumns, partColumns } from '#shared/platform/csv/export-list.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { matchingOrders, ORDERS, type OrderFilter } from './list-orders.ts'
import { loadOrderViews } from './load-order-view.ts'
import type { OrderView } from './view.ts'

const ADDRESS = [
  'firstname',
  'lastname',
  'company',
  'address_1',
  'address_2',
  'city',
  'postcode',
  'zone',
  'country',
  'telephone',
] as const

const COLUMNS: CsvColumn<OrderView>[] = [
  ...fieldColumns<OrderView>(
    'id',
    'number',
    'created_at',
    'status',
    'payment_status',
    'fulfillment_status',
    'customer_id',
    'email',
    'firstname',
    'lastname',
    'telephone',
  ),
  {
    name: 'items',
    value: ({ items }) => items.map(({ quantity, sku }) => `${quantity} x ${sku}`).join(', '),
  },
  ...fieldColumns<OrderView>(
    'currency',
    'subtotal',
    'discount_total',
    'shipping_total',
    'tax_total',
    'rounding_total',
    'total',
    'net_total',
    'voucher_total',
    'amount_captured',
    'amount_refunded',
    'payment_method',
    'coupon_code',
    'paid_at',
    'note',
  ),
  { name: 'shipping_method', value: ({ shipping_method }) => shipping_method?.name ?? null },
  ...partColumns('shipping', ({ shipping_address }: OrderView) => shipping_address, ...ADDRESS),
  ...partColumns('billing', ({ billing_address }: OrderView) => billing_address, ...ADDRESS),
]

/** Returns the orders that match a filter as a CSV file, one row per order. */
export const exportOrders = (tx: StoreTx, filter: OrderFilter): Promise<CsvFile> =>
  exportList(tx, {
    name: 'orders',
    matching: (page) => {
      const query = matchingOrders(page, filter)
      ORDERS.filter(query, filter)
      return query
    },
    toViews: loadOrderViews,
    columns: COLUMNS,
  })
