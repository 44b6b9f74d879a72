import { customer } from '#api/platform/auth/access.ts'
import { reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { AffiliateErrors } from '#shared/affiliates/errors.ts'
import { applyAsAffiliate as apply } from '#shared/affiliates/lifecycle/create-affiliate.ts'
import { findOwnAffiliate, loadOwnAffiliate } from '#shared/affiliates/own-affiliate.ts'
import { OwnAffiliateView, viewOwnAffiliate } from '#shared/affiliates/own-view.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { applicationExample, ownAffiliateExample } from './examples.ts'
import { toAffiliateInput } from './read-request.ts'
import { ApplyAsAffiliateRequest } from './schemas.ts'

const noActivity = { balance: { pending: 0, payable: 0, paid: 0 }, visits: 0, orders: 0, entries: [] }

export const applyAsAffiliate = endpoint({
  method: 'post',
  path: '/affiliates/apply',
  access: customer,
  summary: 'Apply as an affiliate',
  description:
    'The store decides, and the customer is notified by mail. After an approval, an order through a link with the ' +
    "`code` earns a commission, unless the buyer has the affiliate's e-mail address or billing address.",
  body: ApplyAsAffiliateRequest,
  returns: [201, OwnAffiliateView],
  errors: [AffiliateErrors.exists, AffiliateErrors.codeTaken],
  example: {
    body: applicationExample,
    data: { ...ownAffiliateExample, ...noActivity, status: 'pending' },
  },
  async handle({ tx, store, customer: { id }, body }) {
    const affiliate = await apply(tx, id, toAffiliateInput(body))
    return reply(201, viewOwnAffiliate(await loadOwnAffiliate(tx, affiliate), store.currency))
  },
})

export const readOwnAffiliate = endpoint({
  method: 'get',
  path: '/affiliates/me',
  access: customer,
  summary: "Read the customer's affiliate account",
  description: 'With the link, its visits and orders, the balance and the newest entries of the ledger.',
  returns: [200, OwnAffiliateView],
  errors: [CommonErrors.notFound],
  example: { data: ownAffiliateExample },
  handle: async ({ tx, store, customer: { id } }) =>
    viewOwnAffiliate(await findOwnAffiliate(tx, id), store.currency),
})
