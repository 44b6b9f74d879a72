import { Type } from 'typebox'
import { listSecurityEvents } from '#shared/accounts/list-security-events.ts'
import { SecurityEventView, viewSecurityEvent } from '#shared/accounts/security-event-view.ts'
import { PlainPageQuery } from '#shared/platform/schema.ts'
import { account } from '../platform/access.ts'
import { endpoint } from '../platform/endpoint.ts'
import { page } from '../platform/reply.ts'
import { activityExample } from './examples.ts'

export const listOwnActivity = endpoint({
  method: 'get',
  path: '/auth/activity',
  access: account,
  summary: 'Read what happened to your sign-in, the latest first',
  description:
    'Changes of password, address and second factor, sessions that were closed, sign-ins from a device that was new, ' +
    'and signs of a theft, each with where it came from. Kept for 90 days; GET /auth/sessions lists who is signed in now.',
  query: PlainPageQuery,
  paginated: true,
  returns: [200, Type.Array(SecurityEventView)],
  example: { data: [activityExample] },
  async handle({ tx, account, query }) {
    return page(await listSecurityEvents(tx, account, query), query, viewSecurityEvent)
  },
})
