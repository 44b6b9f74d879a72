import { Type } from 'typebox'
import { staff } from '#api/platform/auth/access.ts'
import { page } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { PlainPageQuery } from '#shared/platform/http/schema.ts'
import { VoucherEntryView, viewEntry } from '#shared/vouchers/entry-view.ts'
import { listEntries } from '#shared/vouchers/list-entries.ts'
import { entryExample } from './examples.ts'
import { VoucherParams } from './schemas.ts'

export const listVoucherTransactions = endpoint({
  method: 'get',
  path: '/admin/vouchers/:id/transactions',
  access: staff('sales:read'),
  paginated: true,
  summary: 'List the ledger of a gift voucher, newest first',
  description:
    'What is left is the sum: issue, release and refund add; reserve takes; capture makes a reservation final and ' +
    'moves nothing; adjust is signed.',
  params: VoucherParams,
  query: PlainPageQuery,
  returns: [200, Type.Array(VoucherEntryView)],
  errors: [CommonErrors.notFound],
  example: { data: [entryExample] },
  async handle({ tx, params, query }) {
    const { currency, ...found } = await listEntries(tx, params.id, query)
    return page(found, query, (entry) => viewEntry(entry, currency))
  },
})
