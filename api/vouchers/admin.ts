import { Type } from 'typebox'
import { staff, staffNotSupport } from '#api/platform/auth/access.ts'
import { isSupport } from '#api/platform/auth/assert-not-support.ts'
import type { OptionalStaff } from '#api/platform/auth/callers.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { page } from '#api/platform/output/reply.ts'
import { AS_CSV } from '#api/platform/output/send-csv.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { StaffErrors } from '#shared/staff/errors.ts'
import { holds } from '#shared/staff/rights.ts'
import { sendVoucher as sendVoucherMail } from '#shared/vouchers/delivery/mail-voucher.ts'
import { VoucherErrors } from '#shared/vouchers/errors.ts'
import { exportVouchers } from '#shared/vouchers/export-vouchers.ts'
import { deactivateVoucher } from '#shared/vouchers/lifecycle/deactivate-voucher.ts'
import { issueVoucher as issue } from '#shared/vouchers/lifecycle/issue-voucher.ts'
import { purgeVoucher } from '#shared/vouchers/lifecycle/purge-voucher.ts'
import { updateVoucher as update } from '#shared/vouchers/lifecycle/update-voucher.ts'
import { listVoucherEntries, VOUCHER_ENTRIES } from '#shared/vouchers/list-voucher-entries.ts'
import { listVouchers as list } from '#shared/vouchers/list-vouchers.ts'
import { VoucherView, viewVoucher, viewVoucherWithoutCode } from '#shared/vouchers/view.ts'
import { findVoucher, type VoucherWithTheme } from '#shared/vouchers/voucher.ts'
import { VoucherEntryView, viewEntry } from '#shared/vouchers/voucher-entry.ts'
import { ledgerEntryExample, newVoucherExample, voucherExample } from './examples.ts'
import { toNewVoucher, toVoucherChanges } from './read-request.ts'
import {
  CreateVoucherRequest,
  PurgeQuery,
  SendVoucherRequest,
  UpdateVoucherRequest,
  VoucherParams,
  VouchersQuery,
} from './schemas.ts'

const shared = {
  path: '/admin/vouchers',
  audit: {
    resource: 'vouchers',
    list: 'getAdminVouchers',
    read: 'getAdminVouchersId',
    create: 'postAdminVouchers',
    update: 'patchAdminVouchersId',
    delete: 'deleteAdminVouchersId',
  },
  params: VoucherParams,
  reads: staff('sales:read'),
  returns: VoucherView,
  view: (whole: VoucherWithTheme, _store: unknown, _language: string, { staff }: OptionalStaff) =>
    staff && isSupport(staff) ? viewVoucherWithoutCode(whole) : viewVoucher(whole),
  tag: ({ voucher }: VoucherWithTheme) => entityTag(voucher),
  example: voucherExample,
}

const vouchers = new Resource({ ...shared, writes: staffNotSupport('sales:write') })
/** Issuing a voucher needs the right to refund, because a voucher is money. */
const issued = new Resource({ ...shared, writes: staffNotSupport('sales:write', 'refund') })

export const listVouchers = vouchers.list({
  summary: 'List gift vouchers',
  description:
    '`q` finds a whole code in any form, and then that voucher alone; else the last four letters of codes, and ' +
    `beginnings of words of names and e-mail addresses. ${AS_CSV} The file has the last four letters of a code only, ` +
    'and so have the responses to a support session.',
  query: VouchersQuery,
  handle: ({ tx, query }) => list(tx, query),
  csv: ({ tx, query }) => exportVouchers(tx, query),
})

export const issueVoucher = issued.create({
  summary: 'Issue a gift voucher',
  description:
    "In the store's currency. Without `code` a random code is generated. The default giver is the store. Mail the " +
    'voucher with POST /admin/vouchers/{id}/send.',
  body: CreateVoucherRequest,
  errors: [VoucherErrors.codeTaken],
  example: { body: newVoucherExample, data: { ...voucherExample, amount_remaining: 50 } },
  handle: ({ tx, store, staff, body }) => issue(tx, toNewVoucher(body, store, staff.name)),
})

export const readVoucher = vouchers.read({
  summary: 'Read a gift voucher',
  handle: ({ tx, params }) => findVoucher(tx, params.id),
})

export const updateVoucher = vouchers.update({
  summary: 'Change a gift voucher',
  description:
    'Absent fields keep their values. `amount` is the full value of the voucher. A new `amount` is booked as an ' +
    'adjustment in the ledger, and is at least what orders have spent and reserved. A higher `amount`, activation, a ' +
    'later or no `expires_at` and another or no `order_id` need the right `refund`, as issuing does. `order_id` and ' +
    '`voucher_theme_id` may be null.',
  body: UpdateVoucherRequest,
  errors: [
    VoucherErrors.codeTaken,
    VoucherErrors.amountBelowSpent,
    VoucherErrors.awaitsPayment,
    VoucherErrors.orderFixed,
    StaffErrors.refundForbidden,
  ],
  example: { body: { amount: 50, is_active: true } },
  handle: ({ tx, store, params, body, staff, ifMatch }) =>
    update(tx, params.id, toVoucherChanges(body, store), {
      actor: staff.name,
      mayIssue: holds(staff, ['refund']),
      ifMatch,
    }),
})

export const deleteVoucher = vouchers.delete({
  summary: 'Deactivate a gift voucher',
  description:
    'It can no longer be spent; reservations of orders stay. With `purge=true` a voucher that was never bought or ' +
    'used is deleted.',
  query: PurgeQuery,
  errors: [VoucherErrors.inUse],
  handle: ({ tx, params, query }) =>
    query.purge ? purgeVoucher(tx, params.id) : deactivateVoucher(tx, params.id),
})

export const sendVoucher = endpoint({
  method: 'post',
  path: '/admin/vouchers/:id/send',
  access: staff('sales:write'),
  audit: { action: 'postAdminVouchersIdSend', resource: 'vouchers' },
  summary: 'Mail a gift voucher to its recipient',
  description:
    "With the theme's picture, the message, the code and the balance. The language is `language`, else that of the " +
    "recipient's account, the voucher or the store.",
  params: VoucherParams,
  body: SendVoucherRequest,
  returns: [202, VoucherView],
  errors: [CommonErrors.notFound, VoucherErrors.inactive, VoucherErrors.expired, VoucherErrors.empty],
  example: { body: { language: 'de' }, data: voucherExample },
  async handle({ tx, params, body, ...call }) {
    return vouchers.replyWith(202, await sendVoucherMail(tx, params.id, body), call)
  },
})

export const listVoucherTransactions = endpoint({
  method: 'get',
  path: '/admin/vouchers/:id/transactions',
  access: staff('sales:read'),
  paginated: true,
  summary: 'List the ledger of a gift voucher, newest first',
  description:
    'The balance is the sum: issue, release and refund add, reserve subtracts, adjust is signed. A capture makes a ' +
    'reservation final and does not change the balance.',
  params: VoucherParams,
  query: listQuery(VOUCHER_ENTRIES),
  returns: [200, Type.Array(VoucherEntryView)],
  errors: [CommonErrors.notFound],
  example: { data: [ledgerEntryExample] },
  async handle({ tx, params, query }) {
    const { currency, ...found } = await listVoucherEntries(tx, params.id, query)
    return page(found, query, (entry) => viewEntry(entry, currency))
  },
})
