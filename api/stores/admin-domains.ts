import { staff, staffInPerson } from '#api/platform/auth/access.ts'
import { preferWait } from '#api/platform/input/prefer-wait.ts'
import { reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { PlainPageQuery } from '#shared/platform/http/schema.ts'
import { awaitVerification } from '#shared/stores/await-verification.ts'
import { claimDomain } from '#shared/stores/claim-domain.ts'
import { StoreDomainView, viewDomain } from '#shared/stores/domain-view.ts'
import { DomainErrors } from '#shared/stores/errors.ts'
import { findClaim, listDomains } from '#shared/stores/find-claim.ts'
import { removeDomain } from '#shared/stores/remove-domain.ts'
import { requestVerification } from '#shared/stores/request-verification.ts'
import { DomainParams, NewDomainBody } from './schemas.ts'

const example = {
  id: '0199d1f0-5b7e-7c3a-9a51-2f6f0c7d9e40',
  domain: 'shop.harbor.example',
  status: 'pending',
  failure: null,
  verification: {
    type: 'TXT',
    name: '_commerce-verification.shop.harbor.example',
    value: 'commerce-verification=Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4',
  },
  checked_at: null,
  verified_at: null,
  created_at: '2026-10-10T08:00:00.000Z',
}
const at = '2026-10-10T08:05:00.000Z'
const verified = { ...example, status: 'verified', checked_at: at, verified_at: at }

// The store's mails lead to its domain, with tokens that open accounts: where that is, is no program's business, nor that
// of who came to help.
const domains = new Resource({
  path: '/admin/domains',
  audit: { resource: 'domains', create: 'postAdminDomains', remove: 'deleteAdminDomainsDomainId' },
  params: DomainParams,
  reads: staff('system:read'),
  writes: staffInPerson('system:write'),
  returns: StoreDomainView,
  view: viewDomain,
  example,
})

export const listStoreDomains = domains.list({
  summary: 'List the domains that the store claims, oldest first',
  query: PlainPageQuery,
  example: { data: [verified] },
  handle: ({ tx, query }) => listDomains(tx, query),
})

export const addStoreDomain = domains.create({
  summary: 'Claim a domain for the store',
  description:
    'Publish the TXT record in `verification`, then have it verified: from then on requests to the domain need no ' +
    'publishable key, and the mails to customers lead to it. International names are kept as DNS has them (`xn--…`).',
  body: NewDomainBody,
  errors: [DomainErrors.alreadyAdded],
  example: { body: { domain: example.domain } },
  handle: ({ tx, body }) => claimDomain(tx, body.domain),
})

export const readStoreDomain = domains.read({
  summary: 'Read a claimed domain and how its verification stands',
  handle: ({ tx, params }) => findClaim(tx, params.domain_id),
})

export const verifyStoreDomain = endpoint({
  method: 'post',
  path: '/admin/domains/:domain_id/verify',
  access: staffInPerson('system:write'),
  audit: { action: 'postAdminDomainsDomainIdVerify', resource: 'domains' },
  summary: "Look for a claimed domain's proof in DNS",
  description:
    '200: looked, and `status` says what came of it, `failed` with the `failure`. 202: still looking. A domain belongs ' +
    'to the first store that proves it; claims of others stay claims.',
  params: DomainParams,
  returns: [200, 202, StoreDomainView],
  errors: [CommonErrors.notFound],
  example: { data: verified },
  async handle({ tx, params }) {
    const { id } = await requestVerification(tx, params.domain_id)
    return id
  },
  async respond({ store, request }, domainId) {
    const claim = await awaitVerification(store.id, domainId, preferWait(request))
    return reply(claim.status === 'checking' ? 202 : 200, viewDomain(claim))
  },
})

export const removeStoreDomain = domains.remove({
  summary: 'Give up a domain: requests to it find the store no more',
  handle: ({ tx, params }) => removeDomain(tx, params.domain_id),
})
