import { staff } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { VoucherErrors } from '#shared/vouchers/errors.ts'
import { findVoucher } from '#shared/vouchers/find-voucher.ts'
import { issueVoucher as issue } from '#shared/vouchers/issue-voucher.ts'
import { listVouchers as list } from '#shared/vouchers/list-vouchers.ts'
import { mailVoucher } from '#shared/vouchers/mail-voucher.ts'
import { deactivateVoucher, purgeVoucher } from '#shared/vouchers/remove-voucher.ts'
import { updateVoucher as update } from '#shared/vouchers/update-voucher.ts'
import { VoucherView, viewVoucher } from '#shared/vouchers/view.ts'
import { newVoucherExample, voucherExample } from './examples.ts'
import { toVoucherChanges, toVoucherDraft } from './read-request.ts'
import {
  NewVoucherBody,
  PurgeQuery,
  SendBody,
  VoucherChangesBody,
  VoucherParams,
  VouchersQuery,
} from './schemas.ts'

const vouchers = new Resource({
  path: '/admin/vouchers',
  audit: {
    resource: 'vouchers',
    create: 'postAdminVouchers',
    change: 'patchAdminVouchersId',
    remove: 'deleteAdminVouchersId',
  },
  params: VoucherParams,
  reads: staff('sales:read'),
  writes: staff('sales:write'),
  returns: VoucherView,
  view: viewVoucher,
  tag: ({ voucher }) => entityTag(voucher),
  example: voucherExample,
})

export const listVouchers = vouchers.list({
  summary: 'List gift vouchers',
  description: '`q` finds a code, however it is written, and searches names and e-mail addresses.',
  query: VouchersQuery,
  handle: ({ tx, query }) => list(tx, query),
})

export const issueVoucher = vouchers.create({
  summary: 'Issue a gift voucher',
  description:
    "In the store's currency. Without `code` one is made that nobody can guess; it is from the store unless told " +
    'otherwise. It is not mailed by itself: see POST /admin/vouchers/{id}/send.',
  body: NewVoucherBody,
  errors: [VoucherErrors.codeTaken],
  example: { body: newVoucherExample, data: { ...voucherExample, amount_remaining: 50 } },
  handle: ({ tx, store, staff, body }) => issue(tx, toVoucherDraft(body, store, staff.name)),
})

export const readVoucher = vouchers.read({
  summary: 'Read a gift voucher',
  handle: ({ tx, params }) => findVoucher(tx, params.id),
})

export const updateVoucher = vouchers.change({
  summary: 'Change a gift voucher',
  description:
    'What the body leaves out stays. `amount` is what it is worth in all: another one is an adjustment in its ledger, ' +
    'and not less than what orders have of it. `order_id` and `voucher_theme_id` may be null.',
  body: VoucherChangesBody,
  errors: [
    VoucherErrors.codeTaken,
    VoucherErrors.amountBelowSpent,
    VoucherErrors.awaitsPayment,
    VoucherErrors.orderFixed,
  ],
  example: { body: { amount: 50, is_active: true } },
  handle: ({ tx, store, params, body, staff, ifMatch }) =>
    update(tx, params.id, toVoucherChanges(body, store), { actor: staff.name, ifMatch }),
})

export const deleteVoucher = vouchers.remove({
  summary: 'Deactivate a gift voucher',
  description:
    'It cannot be spent any more; an order that has reserved of it keeps that. With `purge=true` one that was never ' +
    'bought or used is really deleted.',
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
  summary: 'Mail a gift voucher to whom it is for',
  description:
    "With the theme's picture, the message, the code and what is left of it. In `language`, else that of the " +
    "recipient's account, the voucher's, the store's.",
  params: VoucherParams,
  body: SendBody,
  returns: [202, VoucherView],
  errors: [CommonErrors.notFound, VoucherErrors.inactive, VoucherErrors.expired, VoucherErrors.empty],
  example: { body: { language: 'de' }, data: voucherExample },
  async handle({ tx, params, body, ...call }) {
    const whole = await findVoucher(tx, params.id)
    await mailVoucher(tx, whole, body)
    return vouchers.respond(202, whole, call)
  },
})
