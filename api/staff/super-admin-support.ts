import { deviceOf } from '#api/identity/request.ts'
import { superAdminOfStore } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { StoreParams } from '#api/stores/super-admin-schemas.ts'
import { StoreErrors } from '#shared/stores/errors.ts'
import { openSupportSession } from '#shared/super-admin/open-support-session.ts'
import { SupportSessionView, viewSupportSession } from '#shared/super-admin/support-session-view.ts'
import { SupportSignInRequest } from './schemas.ts'

export const signInToStore = endpoint({
  method: 'post',
  path: '/super-admin/stores/:id/sign-in',
  access: superAdminOfStore,
  audit: { action: 'postSuperAdminStoresIdSignIn', resource: 'stores' },
  // An idempotency record would store the token.
  idempotency: 'none',
  recentSignIn: true,
  summary: "Sign in as one of a store's administrators, to help",
  description:
    "The token reads the store's admin operations for `minutes` and cannot be renewed. It makes changes only while " +
    "the store's owner allows it by PUT /admin/support-access, and never creates what outlasts it: webhooks, keys, " +
    'tokens, connections, vouchers, discounts and exemptions from tax. It cannot run operations that need a staff ' +
    'member, e.g. managing users. The owner gets a mail. The session ends sooner when the session that opened it is ' +
    'closed, and when the super-admin signs out everywhere or changes the password. Once it has ended or the owner ' +
    'has withdrawn the consent, it can make no more changes, and the owner gets a mail that lists them. The audit ' +
    'logs of the store and of the platform show the reason, and each change and each read of personal data with the ' +
    "super-admin's e-mail address.",
  params: StoreParams,
  body: SupportSignInRequest,
  returns: [201, SupportSessionView],
  errors: [StoreErrors.notActive],
  example: {
    body: { reason: 'Ticket 4711: tax is missing on receipts', minutes: 30 },
    data: {
      session_id: '01992f3e-8d00-7a41-8f0a-1b2c3d4e5f60',
      store_id: '0199d1f0-0000-7c3a-9a51-2f6f0c7d9e10',
      access_token: 'eyJhbGciOiJIUzI1NiIsImtpZCI6IjIwMjYifQ.eyJ0eXAiOiJzdGFmZiJ9.c2lnbmF0dXJl',
      token_type: 'Bearer',
      expires_in: 1800,
      expires_at: '2026-10-11T10:00:00.000Z',
      reason: 'Ticket 4711: tax is missing on receipts',
    },
  },
  async handle({ tx, superAdmin, body, request }) {
    const access = { superAdmin, ...body }
    const session = await openSupportSession(tx, access, deviceOf(request))
    return viewSupportSession(tx.storeId, body.reason, session)
  },
})
