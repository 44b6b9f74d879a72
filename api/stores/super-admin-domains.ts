import { Type } from 'typebox'
import { superAdminOfStore } from '#api/platform/auth/access.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { page } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { mailDomainChange } from '#shared/staff/ownership/mail-settings-change.ts'
import { assignStoreDomain } from '#shared/stores/domains/claim-store-domain.ts'
import { deleteStoreDomain as remove } from '#shared/stores/domains/delete-store-domain.ts'
import { DomainErrors } from '#shared/stores/domains/errors.ts'
import { listStoreDomains, STORE_DOMAINS } from '#shared/stores/domains/list-store-domains.ts'
import { StoreDomainView, viewStoreDomain } from '#shared/stores/domains/store-domain-view.ts'
import { deleteStoreDomain, verifyStoreDomain } from './admin-domains.ts'
import { CreateStoreDomainRequest } from './schemas.ts'
import { StoreDomainParams, StoreParams } from './super-admin-schemas.ts'

const { data: verified } = verifyStoreDomain.example

export const listDomainsOfStore = endpoint({
  method: 'get',
  path: '/super-admin/stores/:id/domains',
  access: superAdminOfStore,
  summary: 'List the domains that a store claims, oldest first',
  params: StoreParams,
  query: listQuery(STORE_DOMAINS),
  paginated: true,
  returns: [200, Type.Array(StoreDomainView)],
  example: { data: [verified] },
  async handle({ tx, query }) {
    return page(await listStoreDomains(tx, query), query, viewStoreDomain)
  },
})

export const createDomainOfStore = endpoint({
  method: 'post',
  path: '/super-admin/stores/:id/domains',
  access: superAdminOfStore,
  audit: { action: 'postSuperAdminStoresIdDomains', resource: 'domains' },
  recentSignIn: true,
  summary: "Assign a domain that is known to be the store's",
  description:
    'It needs no verification: requests to it find the store from now on. If it is the first domain of the store, ' +
    'mails to customers link to it, and the owner is mailed.',
  params: StoreParams,
  body: CreateStoreDomainRequest,
  returns: [201, StoreDomainView],
  errors: [DomainErrors.taken, DomainErrors.alreadyAdded],
  example: { body: { domain: 'shop.harbor.example' }, data: verified },
  async handle({ tx, superAdmin, body }) {
    const report = mailDomainChange({ type: 'super_admin', email: superAdmin.email })
    return viewStoreDomain(await assignStoreDomain(tx, body.domain, report))
  },
})

export const deleteDomainOfStore = endpoint({
  method: 'delete',
  path: '/super-admin/stores/:id/domains/:domain_id',
  access: superAdminOfStore,
  audit: { action: 'deleteSuperAdminStoresIdDomainsDomainId', resource: 'domains' },
  recentSignIn: true,
  summary: "Remove a store's domain: requests to it no longer find the store",
  description: deleteStoreDomain.description,
  params: StoreDomainParams,
  returns: [200, Type.Null()],
  example: { data: null },
  async handle({ tx, superAdmin, params }) {
    await remove(tx, params.domain_id, mailDomainChange({ type: 'super_admin', email: superAdmin.email }))
    return null
  },
})
