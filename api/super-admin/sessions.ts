import { Type } from 'typebox'
import { sessionExample } from '#api/accounts/examples.ts'
import { superAdmin } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { SessionView, viewSession } from '#shared/identity/sessions/session-view.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { closeListedSession } from '#shared/super-admin/close-sessions.ts'
import { listSessions } from '#shared/super-admin/list-sessions.ts'
import { OwnSessionParams } from './schemas.ts'

export const listOwnSessions = endpoint({
  method: 'get',
  path: '/super-admin/auth/sessions',
  access: superAdmin,
  summary: "List a super-admin's own open sessions",
  description:
    'The last used first, at most 100. `last_used_at` is when the session was opened or last renewed.',
  returns: [200, Type.Array(SessionView)],
  example: { data: [sessionExample] },
  async handle({ superAdmin }) {
    const sessions = await listSessions(superAdmin.id)
    return sessions.map((session) => viewSession(session, superAdmin.sessionId))
  },
})

export const closeOwnSession = endpoint({
  method: 'delete',
  path: '/super-admin/auth/sessions/:session_id',
  access: superAdmin,
  audit: { action: 'deleteSuperAdminAuthSessionsSessionId', resource: 'auth/sessions' },
  transaction: 'manual',
  summary: "Close one of a super-admin's own sessions",
  description:
    'Its tokens give `auth.session_revoked` from then on. POST /super-admin/auth/logout?all=true closes all of them.',
  params: OwnSessionParams,
  returns: [200, Type.Null()],
  errors: [CommonErrors.notFound],
  example: { data: null },
  async handle({ superAdmin, params, unitOfWork }) {
    return unitOfWork.inPlatform(async (knex) => {
      await closeListedSession(knex, superAdmin.id, params.session_id)
      return null
    })
  },
})
