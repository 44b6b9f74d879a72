import { Type } from 'typebox'
import { changeProvider, deleteProvider } from '#shared/identity-providers/change-provider.ts'
import { createProvider } from '#shared/identity-providers/create-provider.ts'
import { IdentityProviderErrors } from '#shared/identity-providers/errors.ts'
import { findProvider, listProviders } from '#shared/identity-providers/find-provider.ts'
import { IdentityProviderView, viewProvider } from '#shared/identity-providers/view.ts'
import { entityTag } from '#shared/platform/entity-tag.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { StaffErrors } from '#shared/staff/errors.ts'
import { staff, staffPerson } from '../platform/access.ts'
import { endpoint } from '../platform/endpoint.ts'
import { page, reply } from '../platform/reply.ts'
import { changesOf, draftOf } from './drafts.ts'
import { providerExample as example } from './examples.ts'
import {
  ChangeProviderRequest,
  CreateProviderRequest,
  IdentityProviderListQuery,
  IdentityProviderParams,
} from './schemas.ts'

const OWNER = 'Who signs in as staff is for the owner of the store alone to say.'

export const listIdentityProviders = endpoint({
  method: 'get',
  path: '/admin/identity-providers',
  access: staff('system:read'),
  summary: "List the store's identity providers",
  query: IdentityProviderListQuery,
  returns: [200, Type.Array(IdentityProviderView)],
  paginated: true,
  example: { data: [example] },
  async handle({ tx, query }) {
    const { results, total } = await listProviders(tx, query)
    return page(results.map(viewProvider), total, query)
  },
})

export const createIdentityProvider = endpoint({
  method: 'post',
  path: '/admin/identity-providers',
  access: staffPerson('system:write'),
  summary: 'Let customers or staff sign in by an identity provider',
  description: `Any that speaks OpenID Connect and describes itself at its issuer's /.well-known/openid-configuration. ${OWNER}`,
  body: CreateProviderRequest,
  returns: [201, IdentityProviderView],
  errors: [
    IdentityProviderErrors.codeTaken,
    IdentityProviderErrors.issuerInvalid,
    IdentityProviderErrors.redirectUrlInvalid,
    IdentityProviderErrors.tooMany,
    StaffErrors.ownerOnly,
  ],
  example: {
    body: {
      code: example.code,
      name: example.name,
      issuer: example.issuer,
      client_id: example.client_id,
      client_secret: 'x'.repeat(32),
      redirect_urls: example.redirect_urls,
    },
    data: example,
  },
  async handle({ tx, staff, body }) {
    return viewProvider(await createProvider(tx, staff, draftOf(body)))
  },
})

export const readIdentityProvider = endpoint({
  method: 'get',
  path: '/admin/identity-providers/:provider_id',
  access: staff('system:read'),
  summary: 'Read an identity provider',
  params: IdentityProviderParams,
  returns: [200, IdentityProviderView],
  errors: [CommonErrors.notFound],
  example: { data: example },
  async handle({ tx, params }) {
    const found = await findProvider(tx, params.provider_id)
    return reply(200, viewProvider(found), { ETag: entityTag(found) })
  },
})

export const changeIdentityProvider = endpoint({
  method: 'patch',
  path: '/admin/identity-providers/:provider_id',
  access: staffPerson('system:write'),
  summary: 'Change an identity provider, or switch it on or off',
  description: `Code, issuer and audience stay: accounts are linked to people as this issuer knows them. ${OWNER}`,
  params: IdentityProviderParams,
  body: ChangeProviderRequest,
  returns: [200, IdentityProviderView],
  errors: [
    CommonErrors.notFound,
    CommonErrors.changed,
    IdentityProviderErrors.redirectUrlInvalid,
    StaffErrors.ownerOnly,
  ],
  example: { body: { is_active: false }, data: { ...example, is_active: false } },
  async handle({ tx, staff, params, body, request }) {
    const { 'if-match': ifMatch } = request.headers
    const changed = await changeProvider(tx, staff, params.provider_id, changesOf(body), ifMatch)
    return reply(200, viewProvider(changed), { ETag: entityTag(changed) })
  },
})

export const deleteIdentityProvider = endpoint({
  method: 'delete',
  path: '/admin/identity-providers/:provider_id',
  access: staffPerson('system:write'),
  summary: 'Delete an identity provider, and who is linked to whom by it',
  description: `Accounts and their sessions stay. ${OWNER}`,
  params: IdentityProviderParams,
  returns: [200, Type.Null()],
  errors: [CommonErrors.notFound, StaffErrors.ownerOnly],
  example: { data: null },
  async handle({ tx, staff, params }) {
    await deleteProvider(tx, staff, params.provider_id)
    return null
  },
})
