import { Type } from 'typebox'
import { account } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { closeListedSession, listSessions } from '#shared/identity/sessions/list-sessions.ts'
import { SessionView, viewSession } from '#shared/identity/sessions/session-view.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { deviceOf } from './caller.ts'
import { sessionExample } from './examples.ts'
import { SessionParams } from './schemas.ts'

export const listOwnSessions = endpoint({
  method: 'get',
  path: '/auth/sessions',
  access: account,
  summary: 'List your open sessions',
  description:
    'The last used first, at most 100. `last_used_at` is when the session was opened or last renewed.',
  returns: [200, Type.Array(SessionView)],
  example: { data: [sessionExample] },
  async handle({ tx, account }) {
    const sessions = await listSessions(tx, account)
    return sessions.map((session) => viewSession(session, account.sessionId))
  },
})

export const closeOwnSession = endpoint({
  method: 'delete',
  path: '/auth/sessions/:id',
  access: account,
  audit: { action: 'deleteAuthSessionsId', resource: 'sessions' },
  summary: 'Close one of your sessions',
  description: 'Its tokens give `auth.session_revoked` from then on. Closing the current one signs you out.',
  params: SessionParams,
  returns: [200, Type.Null()],
  errors: [CommonErrors.notFound],
  example: { data: null },
  async handle({ tx, account, params, request }) {
    await closeListedSession(tx, account, params.id, deviceOf(request))
    return null
  },
})
