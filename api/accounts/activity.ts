import { Type } from 'typebox'
import { account } from '#api/platform/auth/access.ts'
import { page } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { listSecurityEvents, SecurityEventView, viewSecurityEvent } from '#shared/identity/security-event.ts'
import { PlainPageQuery } from '#shared/platform/http/schema.ts'
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
