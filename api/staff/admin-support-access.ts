import { Type } from 'typebox'
import { staff, staffInPerson } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { StaffErrors } from '#shared/staff/errors.ts'
import {
  findConsent,
  grantConsent,
  revokeConsent,
  SupportConsentView,
  viewConsent,
} from '#shared/staff/support-consent.ts'
import { userExample } from './examples.ts'
import { GrantSupportAccessRequest } from './schemas.ts'

const example = {
  allows_changes: true,
  granted_by: userExample.id,
  granted_at: '2026-10-11T09:30:00.000Z',
  expires_at: '2026-10-11T10:30:00.000Z',
}

const path = '/admin/support-access'

export const readSupportAccess = endpoint({
  method: 'get',
  path,
  access: staff('system:read'),
  summary: 'Read whether support sessions may change the store',
  returns: [200, SupportConsentView],
  example: { data: example },
  async handle({ tx }) {
    return viewConsent(await findConsent(tx))
  },
})

export const grantSupportAccess = endpoint({
  method: 'put',
  path,
  access: staffInPerson('system:write'),
  audit: { action: 'putAdminSupportAccess', resource: 'support-access' },
  recentSignIn: true,
  summary: 'Allow support sessions to change the store for a limited time',
  description:
    'Only the owner can. Without it, a support session of a super-admin only reads. Even with it, a support session ' +
    'cannot manage users or create anything that outlasts it: webhooks, keys, tokens, connections, vouchers, ' +
    'discounts and exemptions from tax. It ends after `minutes`, or by DELETE.',
  body: GrantSupportAccessRequest,
  returns: [200, SupportConsentView],
  errors: [StaffErrors.ownerOnly],
  example: { body: { minutes: 60 }, data: example },
  async handle({ tx, staff, body }) {
    return viewConsent(await grantConsent(tx, staff.id, body.minutes))
  },
})

export const revokeSupportAccess = endpoint({
  method: 'delete',
  path,
  access: staffInPerson('system:write'),
  audit: { action: 'deleteAdminSupportAccess', resource: 'support-access' },
  summary: 'Allow support sessions to read only, immediately',
  description:
    'Within minutes, the owner gets a mail that lists the changes of each support session. After this mail, a ' +
    'session can make no more changes, even if the owner allows them again.',
  returns: [200, Type.Null()],
  errors: [StaffErrors.ownerOnly],
  example: { data: null },
  async handle({ tx, staff }) {
    await revokeConsent(tx, staff.id)
    return null
  },
})
