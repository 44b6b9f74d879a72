import { Type } from 'typebox'
import { account } from '#api/platform/auth/access.ts'
import { page } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { listSecurityEvents } from '#shared/identity/list-security-events.ts'
import { SecurityEventView, viewSecurityEvent } from '#shared/identity/security-event.ts'
import { PlainPageQuery } from '#shared/platform/http/query-parameters.ts'
import { activityExample } from './examples.ts'

export const listOwnActivity = endpoint({
  method: 'get',
  path: '/auth/activity',
  access: account,
  summary: 'List the security events of your account, newest first',
  description:
    'Changes of password, address and second factor, links to identity providers, closed sessions, sign-ins from ' +
    'new devices, new API tokens and signs of a theft, each with its IP address and device. They are kept for 90 ' +
    'days. GET /auth/sessions lists the open sessions.',
  query: PlainPageQuery,
  paginated: true,
  returns: [200, Type.Array(SecurityEventView)],
  example: { data: [activityExample] },
  async handle({ tx, account, query }) {
    return page(await listSecurityEvents(tx, account, query), query, viewSecurityEvent)
  },
})
