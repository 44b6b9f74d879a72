import { Type } from 'typebox'
import { entityTag } from '#shared/platform/entity-tag.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { deactivateVoucher, purgeVoucher } from '#shared/vouchers/delete-voucher.ts'
import { VoucherErrors } from '#shared/vouchers/errors.ts'
import { issueVoucher as issue } from '#shared/vouchers/issue-voucher.ts'
import { listVouchers as list } from '#shared/vouchers/list-vouchers.ts'
import { mailVoucher } from '#shared/vouchers/mail-voucher.ts'
import { updateVoucher as update } from '#shared/vouchers/update-voucher.ts'
import { VoucherView, viewVoucher, type WholeVoucher } from '#shared/vouchers/view.ts'
import { findVoucher } from '#shared/vouchers/whole-vouchers.ts'
import { staff } from '../platform/access.ts'
import { endpoint } from '../platform/endpoint.ts'
import { page, reply } from '../platform/reply.ts'
import { newVoucherExample, voucherExample } from './examples.ts'
import { toVoucherDraft } from './read-request.ts'
import {
  NewVoucherBody,
  PurgeQuery,
  SendBody,
  VoucherChangesBody,
  VoucherParams,
  VouchersQuery,
} from './schemas.ts'

const tagged = (status: number, whole: WholeVoucher) =>
  reply(status, viewVoucher(whole), { ETag: entityTag(whole.voucher) })

export const listVouchers = endpoint({
  method: 'get',
  path: '/admin/vouchers',
  access: staff('sales:read'),
  paginated: true,
  summary: 'List gift vouchers',
  description: '`q` finds a code, however it is written, and searches names and e-mail addresses.',
  query: VouchersQuery,
  returns: [200, Type.Array(VoucherView)],
  example: { data: [voucherExample] },
  async handle({ tx, query }) {
    const { found, total } = await list(tx, query)
    return page(found.map(viewVoucher), total, query)
  },
})

export const issueVoucher = endpoint({
  method: 'post',
  path: '/admin/vouchers',
  access: staff('sales:write'),
  summary: 'Issue a gift voucher',
  description:
    "In the store's currency. Without `code` one is made that nobody can guess; it is from the store unless told " +
    'otherwise. It is not mailed by itself: see POST /admin/vouchers/{id}/send.',
  body: NewVoucherBody,
  returns: [201, VoucherView],
  errors: [VoucherErrors.codeTaken],
  example: { body: newVoucherExample, data: { ...voucherExample, amount_remaining: 50 } },
  async handle({ tx, store, staff, body }) {
    const { id } = await issue(tx, toVoucherDraft(body, store, staff.name))
    return tagged(201, await findVoucher(tx, id))
  },
})

export const readVoucher = endpoint({
  method: 'get',
  path: '/admin/vouchers/:id',
  access: staff('sales:read'),
  summary: 'Read a gift voucher',
  params: VoucherParams,
  returns: [200, VoucherView],
  errors: [CommonErrors.notFound],
  example: { data: voucherExample },
  async handle({ tx, params }) {
    return tagged(200, await findVoucher(tx, params.id))
  },
})

export const updateVoucher = endpoint({
  method: 'patch',
  path: '/admin/vouchers/:id',
  access: staff('sales:write'),
  summary: 'Change a gift voucher',
  description:
    'What the body leaves out stays. `amount` is what it is worth in all: another one is an adjustment in its ledger, ' +
    'and not less than what orders have of it. `order_id` and `voucher_theme_id` may be null.',
  params: VoucherParams,
  body: VoucherChangesBody,
  returns: [200, VoucherView],
  errors: [
    CommonErrors.notFound,
    CommonErrors.changed,
    VoucherErrors.codeTaken,
    VoucherErrors.amountBelowSpent,
    VoucherErrors.awaitsPayment,
    VoucherErrors.orderFixed,
  ],
  example: { body: { amount: 50, is_active: true }, data: voucherExample },
  async handle({ tx, params, body, staff, request }) {
    const by = { actor: staff.name, ifMatch: request.headers['if-match'] }
    return tagged(200, await update(tx, params.id, body, by))
  },
})

export const deleteVoucher = endpoint({
  method: 'delete',
  path: '/admin/vouchers/:id',
  access: staff('sales:write'),
  summary: 'Deactivate a gift voucher',
  description:
    'It cannot be spent any more; an order that has reserved of it keeps that. With `purge=true` one that was never ' +
    'bought or used is really deleted.',
  params: VoucherParams,
  query: PurgeQuery,
  returns: [200, Type.Null()],
  errors: [CommonErrors.notFound, VoucherErrors.inUse],
  example: { data: null },
  async handle({ tx, params, query }) {
    await (query.purge ? purgeVoucher(tx, params.id) : deactivateVoucher(tx, params.id))
    return null
  },
})

export const sendVoucher = endpoint({
  method: 'post',
  path: '/admin/vouchers/:id/send',
  access: staff('sales:write'),
  summary: 'Mail a gift voucher to whom it is for',
  description:
    "With the theme's picture, the message, the code and what is left of it. In `language`, else that of the " +
    "recipient's account, the voucher's, the store's.",
  params: VoucherParams,
  body: SendBody,
  returns: [202, VoucherView],
  errors: [CommonErrors.notFound, VoucherErrors.inactive, VoucherErrors.expired, VoucherErrors.empty],
  example: { body: { language: 'de' }, data: voucherExample },
  async handle({ tx, params, body }) {
    return tagged(202, await mailVoucher(tx, params.id, body))
  },
})
