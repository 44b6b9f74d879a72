import { deviceOf } from '#api/identity/request.ts'
import { staffInPerson } from '#api/platform/auth/access.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { toDate } from '#api/platform/input/request-fields.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import {
  ApiTokenView,
  findApiToken,
  NewApiTokenView,
  viewApiToken,
} from '#shared/staff/api-tokens/api-token.ts'
import { createApiToken as create } from '#shared/staff/api-tokens/create-api-token.ts'
import { API_TOKENS, listApiTokens as list } from '#shared/staff/api-tokens/list-api-tokens.ts'
import { revokeApiToken } from '#shared/staff/api-tokens/revoke-api-token.ts'
import { updateApiToken as update } from '#shared/staff/api-tokens/update-api-token.ts'
import { ApiTokenErrors, StaffErrors } from '#shared/staff/errors.ts'
import { apiTokenTextExample, apiTokenExample as example } from './examples.ts'
import { ApiTokenParams, CreateApiTokenRequest, UpdateApiTokenRequest } from './schemas.ts'

const tokens = new Resource({
  path: '/admin/api-tokens',
  audit: {
    resource: 'api-tokens',
    update: 'patchAdminApiTokensTokenId',
    delete: 'deleteAdminApiTokensTokenId',
  },
  params: ApiTokenParams,
  reads: staffInPerson('users:read'),
  writes: staffInPerson('users:write'),
  returns: ApiTokenView,
  view: viewApiToken,
  tag: entityTag,
  example,
})

const tokenOf = <B extends { expires_at?: string | null }>({ expires_at, ...fields }: B) => ({
  ...fields,
  ...(expires_at === undefined ? {} : { expiresAt: toDate(expires_at) }),
})

export const listApiTokens = tokens.list({
  summary: 'List the API tokens that were not revoked',
  query: listQuery(API_TOKENS),
  handle: ({ tx, query }) => list(tx, query),
})

export const createApiToken = endpoint({
  method: 'post',
  path: '/admin/api-tokens',
  access: staffInPerson('users:write'),
  audit: { action: 'postAdminApiTokens', resource: 'api-tokens' },
  // An idempotency record would contain the response with the token.
  idempotency: 'none',
  recentSignIn: true,
  summary: 'Create an API token for a program',
  description:
    'Send it as "Authorization: Bearer cx_sk_…". Its rights are limited to your own at the time of each call, and ' +
    'it becomes invalid when you leave the staff. It cannot manage users, roles, tokens or credentials (403 ' +
    '`auth.api_token_forbidden`). It is shown only here. You and the owner are mailed about it, ' +
    'without the token, at most 20 times an hour. `test` tokens are refused in production.',
  body: CreateApiTokenRequest,
  returns: [201, NewApiTokenView],
  errors: [StaffErrors.privilegeEscalation, ApiTokenErrors.limitReached],
  example: {
    body: { name: example.name, rights: example.rights, expires_at: example.expires_at },
    data: { ...example, last_used_at: null, token: apiTokenTextExample },
  },
  async handle({ tx, staff, body, request }) {
    const { token, text } = await create(tx, staff.id, tokenOf(body), deviceOf(request))
    return { ...viewApiToken(token), token: text }
  },
})

export const readApiToken = tokens.read({
  summary: 'Read about an API token',
  handle: ({ tx, params }) => findApiToken(tx, params.token_id),
})

export const updateApiToken = tokens.update({
  recentSignIn: true,
  summary: "Change an API token's name, rights or end",
  description:
    'The text of the token stays the same. The change applies from its next call. If the token gets more rights or a ' +
    'later end, you, its creator and the owner get a mail.',
  body: UpdateApiTokenRequest,
  errors: [StaffErrors.privilegeEscalation],
  example: { body: { rights: example.rights } },
  handle: ({ tx, staff, params, body, ifMatch, request }) =>
    update(tx, staff.id, params.token_id, tokenOf(body), { ifMatch, device: deviceOf(request) }),
})

export const deleteApiToken = tokens.delete({
  summary: 'Revoke an API token',
  description: 'Its next call returns `auth.session_revoked`.',
  handle: ({ tx, params }) => revokeApiToken(tx, params.token_id),
})
