import { Type } from 'typebox'
import { account } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { OauthErrors } from '#shared/identity-providers/errors.ts'
import { IdentityLinkView, viewIdentityLink } from '#shared/identity-providers/identity-link-view.ts'
import { listIdentityLinks } from '#shared/identity-providers/list-identity-links.ts'
import { removeIdentityLink } from '#shared/identity-providers/remove-identity-link.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { identityLinkExample } from './examples.ts'
import { deviceOf } from './request.ts'
import { IdentityLinkParams } from './schemas.ts'

export const listOwnIdentityLinks = endpoint({
  method: 'get',
  path: '/auth/identity-links',
  access: account,
  summary: 'List the identity providers that sign in to your account',
  description: 'A sign-in by a provider that has verified the address of the account links it.',
  returns: [200, Type.Array(IdentityLinkView)],
  example: { data: [identityLinkExample] },
  async handle({ tx, account }) {
    return (await listIdentityLinks(tx, account)).map(viewIdentityLink)
  },
})

export const removeOwnIdentityLink = endpoint({
  method: 'delete',
  path: '/auth/identity-links/:id',
  access: account,
  audit: { action: 'deleteAuthIdentityLinksId', resource: 'identity-links' },
  summary: 'Remove an identity provider from your account',
  description:
    'Closes the other sessions that the provider opened for the account. A provider that verifies the same e-mail ' +
    'address links it again at the next sign-in: if somebody else controls the mailbox, change the address by POST ' +
    '/auth/email. An account without a password keeps one active provider until it sets a password.',
  params: IdentityLinkParams,
  returns: [200, Type.Null()],
  errors: [CommonErrors.notFound, OauthErrors.onlySignIn],
  example: { data: null },
  async handle({ tx, account, params, request }) {
    const { sessionId: keep } = account
    await removeIdentityLink(tx, account, { id: params.id, keep, device: deviceOf(request) })
    return null
  },
})
