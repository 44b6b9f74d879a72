import { Type } from 'typebox'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { closeListedSession } from '#shared/identity/sessions/close-sessions.ts'
import { listSessions, SessionView, viewSession } from '#shared/identity/sessions/session.ts'
import { inScope } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { Shape, Uuid } from '#shared/platform/http/schema.ts'
import { sessionExample } from './examples.ts'
import type { OwnAccounts } from './own-account.ts'
import { deviceOf, runInScope } from './request.ts'

const list = <C>({ access, limit, base, possessive, currentOf }: OwnAccounts<C>) =>
  endpoint({
    method: 'get',
    path: `${base}/sessions`,
    access,
    limits: [limit],
    transaction: 'manual',
    summary: `List ${possessive} open sessions`,
    description:
      'Returns at most 100 sessions, the most recently used first. `last_used_at` is when the session was opened or ' +
      'last renewed.',
    returns: [200, Type.Array(SessionView)],
    example: { data: [sessionExample] },
    async handle(call) {
      const { storeId, account, sessionId } = currentOf(call)
      const sessions = await inScope(storeId, (tx) => listSessions(tx, account))
      return sessions.map((session) => viewSession(session, sessionId))
    },
  })

const close = <C>({ access, audit, limit, base, possessive, sessionParam, currentOf }: OwnAccounts<C>) =>
  endpoint({
    method: 'delete',
    path: `${base}/sessions/:${sessionParam}`,
    access,
    audit: { action: audit.closeSession, resource: audit.sessions },
    limits: [limit],
    transaction: 'manual',
    summary: `Close one of ${possessive} sessions`,
    description:
      'Its tokens give `auth.session_revoked` from then on. Closing the current one signs you out; ' +
      `POST ${base}/logout?all=true closes all of them.`,
    params: Shape({ [sessionParam]: Uuid }),
    returns: [200, Type.Null()],
    errors: [CommonErrors.notFound],
    example: { data: null },
    async handle(call) {
      const { storeId, account } = currentOf(call)
      const { [sessionParam]: id = '' } = call.params as Record<string, string>
      await runInScope(call.unitOfWork, storeId, (tx) =>
        closeListedSession(tx, account, id, deviceOf(call.request)),
      )
      return null
    },
  })

/** Returns the operations with which account holders manage their sessions. */
export const sessionOperations = <C>(accounts: OwnAccounts<C>) => ({
  listOwnSessions: list(accounts),
  closeOwnSession: close(accounts),
})
