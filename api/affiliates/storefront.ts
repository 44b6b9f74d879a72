import { deviceOf, proofOf } from '#api/identity/request.ts'
import { customer } from '#api/platform/auth/access.ts'
import { takesPassword } from '#api/platform/input/takes-password.ts'
import { reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { AffiliateErrors } from '#shared/affiliates/errors.ts'
import { changeOwnPayout as changePayout } from '#shared/affiliates/lifecycle/change-own-payout.ts'
import { applyAsAffiliate as apply } from '#shared/affiliates/lifecycle/create-affiliate.ts'
import { findOwnAffiliate, loadOwnAffiliate } from '#shared/affiliates/own-affiliate.ts'
import { OwnAffiliateView, viewOwnAffiliate } from '#shared/affiliates/own-view.ts'
import { CREDENTIAL_ERRORS } from '#shared/identity/errors.ts'
import { reauthenticate } from '#shared/identity/reauthentication/reauthenticate.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { applicationExample, ownAffiliateExample, ownPayoutExample } from './examples.ts'
import { toAffiliateInput } from './read-request.ts'
import { ApplyAsAffiliateRequest, ChangeOwnPayoutRequest } from './schemas.ts'

const noActivity = { balance: { pending: 0, payable: 0, paid: 0 }, visits: 0, orders: 0, entries: [] }

export const applyAsAffiliate = endpoint({
  method: 'post',
  path: '/affiliates/apply',
  access: customer,
  summary: 'Apply as an affiliate',
  description:
    'Needs a verified e-mail address. The store decides, and the customer is notified by mail. After an approval, ' +
    'an order through a link with the `code` earns a commission, unless the buyer has the ' +
    "affiliate's e-mail address or billing address.",
  body: ApplyAsAffiliateRequest,
  returns: [201, OwnAffiliateView],
  errors: [AffiliateErrors.emailUnverified, AffiliateErrors.exists, AffiliateErrors.codeTaken],
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

export const changeOwnPayout = endpoint({
  method: 'put',
  path: '/affiliates/me/payout',
  access: customer,
  limits: [limits.api, limits.codes],
  ...takesPassword,
  summary: "Change the payout details of the customer's affiliate account",
  description:
    'Takes the password, and with two-factor sign-in a `totp_code` or a `recovery_code`. Needs a verified e-mail ' +
    'address. A mail notifies the customer. Null removes the details.',
  body: ChangeOwnPayoutRequest,
  returns: [200, OwnAffiliateView],
  errors: [CommonErrors.notFound, AffiliateErrors.emailUnverified, ...CREDENTIAL_ERRORS],
  example: { body: ownPayoutExample, data: ownAffiliateExample },
  handle: ({ store, customer: { id }, body, request, unitOfWork }) =>
    reauthenticate(store.id, { type: 'customer', id }, proofOf(body), (lock) =>
      unitOfWork.inStore(store.id, async (tx) => {
        await lock(tx)
        const affiliate = await changePayout(tx, id, body.payout, deviceOf(request))
        return viewOwnAffiliate(await loadOwnAffiliate(tx, affiliate), store.currency)
      }),
    ),
})
