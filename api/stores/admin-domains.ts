import { staff, staffInPerson } from '#api/platform/auth/access.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { preferWait } from '#api/platform/input/prefer-wait.ts'
import { reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { mailDomainChange } from '#shared/staff/ownership/mail-settings-change.ts'
import { OPENS_CUSTOMER_ACCOUNTS } from '#shared/staff/rights.ts'
import { claimStoreDomain as claim } from '#shared/stores/domains/claim-store-domain.ts'
import { deleteStoreDomain as remove } from '#shared/stores/domains/delete-store-domain.ts'
import { DomainErrors } from '#shared/stores/domains/errors.ts'
import { listStoreDomains as list, STORE_DOMAINS } from '#shared/stores/domains/list-store-domains.ts'
import { findStoreDomain } from '#shared/stores/domains/store-domain.ts'
import { StoreDomainView, viewStoreDomain } from '#shared/stores/domains/store-domain-view.ts'
import { awaitVerification, requestVerification } from '#shared/stores/domains/verification.ts'
import { CreateStoreDomainRequest, DomainParams } from './schemas.ts'

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
  created_by: '0199d1f0-5b7e-7c3a-9a51-2f6f0c7d9e12',
  created_at: '2026-10-10T08:00:00.000Z',
}
const at = '2026-10-10T08:05:00.000Z'
const verified = { ...example, status: 'verified', checked_at: at, verified_at: at }

// Mails link to the store's domain with tokens that give access to customers' accounts and guests' orders. So API
// tokens and support sessions cannot change domains, and staff need the rights to open customers' accounts.
const domains = new Resource({
  path: '/admin/domains',
  audit: { resource: 'domains', create: 'postAdminDomains', delete: 'deleteAdminDomainsDomainId' },
  params: DomainParams,
  reads: staff('system:read'),
  writes: staffInPerson('system:write', ...OPENS_CUSTOMER_ACCOUNTS),
  returns: StoreDomainView,
  view: viewStoreDomain,
  example,
})

export const listStoreDomains = domains.list({
  summary: 'List the domains that the store claims, oldest first',
  query: listQuery(STORE_DOMAINS),
  example: { data: [verified] },
  handle: ({ tx, query }) => list(tx, query),
})

export const claimStoreDomain = domains.create({
  recentSignIn: true,
  summary: 'Claim a domain for the store',
  description:
    'Publish the TXT record in `verification`, then verify the domain. From then on requests to it need no ' +
    'publishable key. Mails to customers link to the domain that was verified first. International names are stored ' +
    'in punycode (`xn--…`).',
  body: CreateStoreDomainRequest,
  errors: [DomainErrors.alreadyAdded],
  example: { body: { domain: example.domain } },
  handle: ({ tx, staff, body }) => claim(tx, staff.id, body.domain),
})

export const readStoreDomain = domains.read({
  summary: 'Read a claimed domain and the status of its verification',
  handle: ({ tx, params }) => findStoreDomain(tx, params.domain_id),
})

export const verifyStoreDomain = endpoint({
  method: 'post',
  path: '/admin/domains/:domain_id/verify',
  access: staffInPerson('system:write', ...OPENS_CUSTOMER_ACCOUNTS),
  audit: { action: 'postAdminDomainsDomainIdVerify', resource: 'domains' },
  recentSignIn: true,
  summary: 'Verify a claimed domain by its DNS record',
  description:
    '200: the check has ended; `status` is its result, and `failure` says why it failed. 202: the check is still in ' +
    'progress. A domain belongs to the first store that verifies it. If it is the first domain of the store, mails ' +
    'to customers link to it, and the owner is mailed.',
  params: DomainParams,
  returns: [200, 202, StoreDomainView],
  errors: [CommonErrors.notFound],
  example: { data: verified },
  async handle({ tx, params }) {
    const { id } = await requestVerification(tx, params.domain_id)
    return id
  },
  async respond({ store, request }, domainId) {
    const domain = await awaitVerification(store.id, domainId, preferWait(request))
    return reply(domain.status === 'checking' ? 202 : 200, viewStoreDomain(domain))
  },
})

export const deleteStoreDomain = domains.delete({
  recentSignIn: true,
  summary: 'Remove a domain: requests to it no longer find the store',
  description:
    'Mails to customers that linked to it then link to the domain that was verified next, if any, and the owner is ' +
    'mailed.',
  handle: ({ tx, staff, params }) =>
    remove(tx, params.domain_id, mailDomainChange({ type: 'staff', memberId: staff.id })),
})
