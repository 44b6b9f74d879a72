import { staff, staffInPerson } from '#api/platform/auth/access.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { toCamelCase } from '#api/platform/input/request-fields.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { createIdentityProviderAs } from '#shared/identity-providers/create-identity-provider.ts'
import { deleteIdentityProvider as remove } from '#shared/identity-providers/delete-identity-provider.ts'
import { IdentityProviderErrors } from '#shared/identity-providers/errors.ts'
import { findIdentityProvider } from '#shared/identity-providers/identity-provider.ts'
import {
  IDENTITY_PROVIDERS,
  listIdentityProviders as list,
} from '#shared/identity-providers/list-identity-providers.ts'
import { updateIdentityProvider as update } from '#shared/identity-providers/update-identity-provider.ts'
import { IdentityProviderView, viewIdentityProvider } from '#shared/identity-providers/view.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { StaffErrors } from '#shared/staff/errors.ts'
import { providerExample as example } from './examples.ts'
import { toNewProvider } from './read-request.ts'
import {
  CreateIdentityProviderRequest,
  IdentityProviderParams,
  UpdateIdentityProviderRequest,
} from './schemas.ts'

const OWNER =
  'Only the owner can create, change or delete a provider for staff. A provider for customers opens their ' +
  'accounts, and needs `customers:write`, `sales:read`, `sales:write`, `reports:read` and `reports:write`.'

const providers = new Resource({
  path: '/admin/identity-providers',
  audit: {
    resource: 'identity-providers',
    create: 'postAdminIdentityProviders',
    update: 'patchAdminIdentityProvidersProviderId',
    delete: 'deleteAdminIdentityProvidersProviderId',
  },
  params: IdentityProviderParams,
  reads: staff('system:read'),
  writes: staffInPerson('system:write'),
  returns: IdentityProviderView,
  view: viewIdentityProvider,
  tag: entityTag,
  example,
})

export const listIdentityProviders = providers.list({
  summary: "List the store's identity providers",
  query: listQuery(IDENTITY_PROVIDERS),
  handle: ({ tx, query }) => list(tx, query),
})

export const createIdentityProvider = providers.create({
  recentSignIn: true,
  summary: 'Let customers or staff sign in by an identity provider',
  description:
    'The provider must support OpenID Connect, and publish its metadata at `/.well-known/openid-configuration` below ' +
    `its issuer. ${OWNER}`,
  body: CreateIdentityProviderRequest,
  errors: [
    IdentityProviderErrors.codeTaken,
    IdentityProviderErrors.issuerInvalid,
    IdentityProviderErrors.redirectUrlInvalid,
    IdentityProviderErrors.limitReached,
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
  },
  handle: ({ tx, staff, body }) => createIdentityProviderAs(tx, staff.id, toNewProvider(body)),
})

export const readIdentityProvider = providers.read({
  summary: 'Read an identity provider',
  handle: ({ tx, params }) => findIdentityProvider(tx, params.provider_id),
})

export const updateIdentityProvider = providers.update({
  recentSignIn: true,
  summary: 'Change an identity provider, or switch it on or off',
  description:
    'Code, issuer and audience cannot change, because accounts are linked to users of this issuer. `is_active: ' +
    'false` and another `client_id` close the sessions that were opened by the provider, and end sign-ins in ' +
    'progress. The removal of a redirect URL closes the sessions too, and ends the sign-ins that return to it. ' +
    OWNER,
  body: UpdateIdentityProviderRequest,
  errors: [IdentityProviderErrors.redirectUrlInvalid, StaffErrors.ownerOnly],
  example: { body: { is_active: false }, data: { ...example, is_active: false } },
  handle: ({ tx, staff, params, body, ifMatch }) =>
    update(tx, staff.id, params.provider_id, toCamelCase(body), ifMatch),
})

export const deleteIdentityProvider = providers.delete({
  recentSignIn: true,
  summary: 'Delete an identity provider with its links to accounts',
  description: `Accounts stay. Sessions that were opened by the provider are closed. ${OWNER}`,
  errors: [StaffErrors.ownerOnly],
  handle: ({ tx, staff, params }) => remove(tx, staff.id, params.provider_id),
})
