import type { CsvColumn, CsvFile } from '#shared/platform/csv/csv-file.ts'
import { exportList, fieldColumns } from '#shared/platform/csv/export-list.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { codeEnd } from '#shared/vouchers/codes/code.ts'
import { findWholeCode, matchingVouchers, VOUCHERS, type VoucherFilter } from './list-vouchers.ts'
import { type VoucherView, viewVoucher } from './view.ts'
import { type Voucher, type VoucherWithTheme, withThemes } from './voucher.ts'

/** A voucher with only the end of its code, because exported files are copied and kept. */
type ExportedVoucher = VoucherView & { code_last4: string }

const COLUMNS: CsvColumn<ExportedVoucher>[] = [
  ...fieldColumns<ExportedVoucher>('id'),
  { name: 'code_last4', value: ({ code_last4 }) => code_last4, isCode: true },
  ...fieldColumns<ExportedVoucher>(
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

/** Returns the gift vouchers that match a filter as a CSV file. */
export async function exportVouchers(tx: StoreTx, filter: VoucherFilter): Promise<CsvFile> {
  const wholeCode = await findWholeCode(tx, filter)
  return exportList(tx, {
    name: 'vouchers',
    matching: (page) => {
      const query = matchingVouchers(page, filter, wholeCode)
      VOUCHERS.filter(query, filter)
      return query
    },
    toViews: async (page, rows: Voucher[]) => (await withThemes(page, rows)).map(viewExported),
    columns: COLUMNS,
  })
}

function viewExported(whole: VoucherWithTheme): ExportedVoucher {
  const view = viewVoucher(whole)
  return { ...view, code_last4: codeEnd(view.code) }
}
