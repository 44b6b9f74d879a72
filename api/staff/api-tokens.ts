import { Type } from 'typebox'
import { entityTag } from '#shared/platform/entity-tag.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import type { ApiToken } from '#shared/staff/api-tokens/api-token.ts'
import { changeApiToken as change, revokeApiToken } from '#shared/staff/api-tokens/change-token.ts'
import { findApiToken, listApiTokens as list } from '#shared/staff/api-tokens/find-token.ts'
import { issueApiToken } from '#shared/staff/api-tokens/issue-token.ts'
import { ApiTokenView, NewApiTokenView, viewApiToken } from '#shared/staff/api-tokens/view.ts'
import { StaffErrors } from '#shared/staff/errors.ts'
import { staffPerson } from '../platform/access.ts'
import { endpoint } from '../platform/endpoint.ts'
import { page, reply } from '../platform/reply.ts'
import { apiTokenTextExample, apiTokenExample as example } from './examples.ts'
import { ApiTokenParams, ChangeApiTokenRequest, CreateApiTokenRequest, ListQuery } from './schemas.ts'

const tagged = (token: ApiToken) => reply(200, viewApiToken(token), { ETag: entityTag(token) })

export const listApiTokens = endpoint({
  method: 'get',
  path: '/admin/api-tokens',
  access: staffPerson('system:read'),
  summary: 'List the API tokens that were not revoked',
  query: ListQuery,
  returns: [200, Type.Array(ApiTokenView)],
  paginated: true,
  example: { data: [example] },
  async handle({ tx, query }) {
    const { results, total } = await list(tx, query)
    return page(results.map(viewApiToken), total, query)
  },
})

export const createApiToken = endpoint({
  method: 'post',
  path: '/admin/api-tokens',
  access: staffPerson('system:write'),
  // The answer to a repeat would be kept, and the token in it.
  idempotency: 'none',
  summary: 'Make an API token for a program',
  description:
    'Send it as "Authorization: Bearer cx_sk_…". It does what its rights say, as far as you may do it yourself at the ' +
    'time: it ends when you leave the staff. It manages no users, roles, tokens or credentials (403 ' +
    '`auth.api_token_forbidden`). It is shown here only. `test` tokens are not taken in production.',
  body: CreateApiTokenRequest,
  returns: [201, NewApiTokenView],
  errors: [StaffErrors.privilegeEscalation],
  example: {
    body: { name: example.name, rights: example.rights, expires_at: example.expires_at },
    data: { ...example, last_used_at: null, token: apiTokenTextExample },
  },
  async handle({ tx, staff, body }) {
    const { token, text } = await issueApiToken(tx, staff.id, body)
    return { ...viewApiToken(token), token: text }
  },
})

export const readApiToken = endpoint({
  method: 'get',
  path: '/admin/api-tokens/:token_id',
  access: staffPerson('system:read'),
  summary: 'Read about an API token',
  params: ApiTokenParams,
  returns: [200, ApiTokenView],
  errors: [CommonErrors.notFound],
  example: { data: example },
  async handle({ tx, params }) {
    return tagged(await findApiToken(tx, params.token_id))
  },
})

export const changeApiToken = endpoint({
  method: 'patch',
  path: '/admin/api-tokens/:token_id',
  access: staffPerson('system:write'),
  summary: "Change an API token's name, rights or end",
  description: 'The token itself stays. Its rights hold from its next call on.',
  params: ApiTokenParams,
  body: ChangeApiTokenRequest,
  returns: [200, ApiTokenView],
  errors: [CommonErrors.notFound, CommonErrors.changed, StaffErrors.privilegeEscalation],
  example: { body: { rights: example.rights }, data: example },
  async handle({ tx, staff, params, body, request }) {
    return tagged(await change(tx, staff.id, params.token_id, body, request.headers['if-match']))
  },
})

export const deleteApiToken = endpoint({
  method: 'delete',
  path: '/admin/api-tokens/:token_id',
  access: staffPerson('system:write'),
  summary: 'Revoke an API token',
  description: 'From its next call on it is told `auth.session_revoked`.',
  params: ApiTokenParams,
  returns: [200, Type.Null()],
  errors: [CommonErrors.notFound],
  example: { data: null },
  async handle({ tx, params }) {
    await revokeApiToken(tx, params.token_id)
    return null
  },
})
