import { Type } from 'typebox'
import { staff, staffNotSupport } from '#api/platform/auth/access.ts'
import type { StaffOrApiToken } from '#api/platform/auth/callers.ts'
import { toMinorIfPresent } from '#api/platform/input/request-fields.ts'
import { page, reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { findAffiliate } from '#shared/affiliates/affiliate.ts'
import { listCommissionEntries as listEntries } from '#shared/affiliates/commissions/list-commission-entries.ts'
import { payOut } from '#shared/affiliates/commissions/pay-out.ts'
import { AffiliateErrors } from '#shared/affiliates/errors.ts'
import { createAffiliate as create } from '#shared/affiliates/lifecycle/create-affiliate.ts'
import { deleteAffiliate as remove } from '#shared/affiliates/lifecycle/delete-affiliate.ts'
import { updateAffiliate as update } from '#shared/affiliates/lifecycle/update-affiliate.ts'
import { listAffiliates as list } from '#shared/affiliates/list-affiliates.ts'
import { loadAffiliatePage, loadAffiliateRecord } from '#shared/affiliates/load-affiliate-record.ts'
import {
  type AffiliateRecord,
  AffiliateView,
  CommissionEntryView,
  viewAffiliate,
  viewCommissionEntry,
} from '#shared/affiliates/view.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { holds } from '#shared/staff/rights.ts'
import type { Store } from '#shared/stores/store.ts'
import {
  commissionEntryExample,
  affiliateExample as example,
  newAffiliateExample,
  payoutEntryExample,
} from './examples.ts'
import { toAffiliateInput } from './read-request.ts'
import {
  AffiliateListQuery,
  AffiliateParams,
  CreateAffiliateRequest,
  CreatePayoutRequest,
  EntryListQuery,
  UpdateAffiliateRequest,
} from './schemas.ts'

const visibilityFor = (caller: StaffOrApiToken) => ({ seesPayoutDetails: holds(caller, ['reports:read']) })

const affiliates = new Resource({
  path: '/admin/affiliates',
  audit: {
    resource: 'affiliates',
    list: 'getAdminAffiliates',
    read: 'getAdminAffiliatesId',
    create: 'postAdminAffiliates',
    update: 'patchAdminAffiliatesId',
    delete: 'deleteAdminAffiliatesId',
  },
  params: AffiliateParams,
  reads: staff('marketing:read'),
  writes: staffNotSupport('marketing:write'),
  returns: AffiliateView,
  view: (record: AffiliateRecord, { currency }: Store) => viewAffiliate(record, currency),
  tag: ({ affiliate }) => entityTag(affiliate),
  example,
})

export const listAffiliates = affiliates.list({
  summary: 'List affiliates and applications',
  description: '`q` searches codes, companies and websites. `payout` needs the right `reports:read`.',
  query: AffiliateListQuery,
  handle: async ({ tx, query, staff: caller }) =>
    loadAffiliatePage(tx, await list(tx, query), visibilityFor(caller)),
})

export const createAffiliate = affiliates.create({
  recentSignIn: ['payout'],
  summary: 'Make a customer an affiliate',
  description:
    'Approved unless another `status` is given. To set `payout` needs the rights `reports:write` and `reports:read`, ' +
    'and is mailed to the customer.',
  body: CreateAffiliateRequest,
  errors: [CommonErrors.notFound, AffiliateErrors.exists, AffiliateErrors.codeTaken],
  example: {
    body: newAffiliateExample,
    data: { ...example, balance: { pending: 0, payable: 0, paid: 0 } },
  },
  async handle({ tx, staff: caller, body: { customer_id, ...body } }) {
    const affiliate = await create(tx, customer_id, toAffiliateInput(body), caller)
    return loadAffiliateRecord(tx, affiliate, visibilityFor(caller))
  },
})

export const readAffiliate = affiliates.read({
  summary: 'Read an affiliate',
  description: '`payout` needs the right `reports:read`. The `ETag` covers the fields, not the balance.',
  handle: async ({ tx, params, staff: caller }) =>
    loadAffiliateRecord(tx, await findAffiliate(tx, params.id), visibilityFor(caller)),
})

export const updateAffiliate = affiliates.update({
  recentSignIn: ['payout'],
  summary: 'Approve, reject, suspend or update an affiliate',
  description:
    'Absent fields stay. A new `status`, `code` or `payout` is mailed to the customer. Only the links of an approved ' +
    'affiliate with an active account win orders; orders that they won before still earn. A new percentage applies ' +
    'to orders that complete from now on. To change `payout` needs the rights `reports:write` and `reports:read`.',
  body: UpdateAffiliateRequest,
  errors: [AffiliateErrors.codeTaken, AffiliateErrors.invalidTransition],
  example: { body: { status: 'suspended' }, data: { ...example, status: 'suspended' } },
  async handle({ tx, params, body, staff: caller, ifMatch }) {
    const affiliate = await update(tx, params.id, toAffiliateInput(body), { staff: caller, ifMatch })
    return loadAffiliateRecord(tx, affiliate, visibilityFor(caller))
  },
})

export const deleteAffiliate = affiliates.delete({
  summary: 'Delete an affiliate',
  description:
    'The code can be used again, and the payout details are forgotten. The ledger stays in reports. Orders that ' +
    'complete later earn nothing.',
  errors: [AffiliateErrors.hasBalance],
  handle: ({ tx, params }) => remove(tx, params.id),
})

export const listCommissionEntries = endpoint({
  method: 'get',
  path: '/admin/affiliates/:id/commissions',
  access: staff('marketing:read'),
  paginated: true,
  summary: "List the ledger of an affiliate's commissions and payouts",
  description:
    'Newest first. An order earns when it completes: the percentage of its goods, net of discounts, without tax, ' +
    'shipping and bought vouchers. Refunds reverse it in proportion to the goods, also after it was paid out.',
  params: AffiliateParams,
  query: EntryListQuery,
  returns: [200, Type.Array(CommissionEntryView)],
  errors: [CommonErrors.notFound],
  example: { data: [commissionEntryExample] },
  async handle({ tx, params, query }) {
    return page(await listEntries(tx, params.id, query), query, viewCommissionEntry)
  },
})

export const payAffiliate = endpoint({
  method: 'post',
  path: '/admin/affiliates/:id/payouts',
  access: staffNotSupport('marketing:write'),
  audit: { action: 'postAdminAffiliatesIdPayouts', resource: 'affiliates' },
  summary: 'Record a payout to an affiliate',
  description: 'The store pays by its own means. Without an `amount`: all that is payable.',
  params: AffiliateParams,
  body: CreatePayoutRequest,
  returns: [201, CommissionEntryView],
  errors: [CommonErrors.notFound, AffiliateErrors.nothingPayable, AffiliateErrors.exceedsPayable],
  example: { body: { amount: 40, reference: payoutEntryExample.reference }, data: payoutEntryExample },
  async handle({ tx, store: { currency }, staff: caller, params, body: { amount, reference } }) {
    const request = { amountMinor: toMinorIfPresent(amount, currency, ['amount']), reference }
    return reply(
      201,
      viewCommissionEntry(await payOut(tx, params.id, request, { currency, actor: caller.name })),
    )
  },
})
