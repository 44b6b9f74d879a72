import type { CsvColumn, CsvFile } from '#shared/platform/csv/csv-file.ts'
import { exportList, fieldColumns } from '#shared/platform/csv/export-list.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { matchingVouchers, VOUCHERS, type VoucherFilter } from './list-vouchers.ts'
import { type VoucherView, viewVoucher } from './view.ts'
import { type Voucher, withThemes } from './voucher.ts'

const COLUMNS: CsvColumn<VoucherView>[] = [
  ...fieldColumns<VoucherView>('id'),
  { name: 'code', value: ({ code }) => code, isCode: true },
  ...fieldColumns<VoucherView>(
    'amount',
    'amount_remaining',
    'currency',
    'is_active',
    'order_id',
    'from_name',
    'from_email',
    'to_name',
    'to_email',
    'message',
    'created_at',
    'expires_at',
  ),
]

/** The gift vouchers that match a filter as a CSV file. */
export const exportVouchers = (tx: StoreTx, filter: VoucherFilter): Promise<CsvFile> =>
  exportList(tx, {
    name: 'vouchers',
    matching: (page) => {
      const query = matchingVouchers(page, filter)
      VOUCHERS.filter(query, filter)
      return query
    },
    toViews: async (page, rows: Voucher[]) => (await withThemes(page, rows)).map(viewVoucher),
    columns: COLUMNS,
  })
