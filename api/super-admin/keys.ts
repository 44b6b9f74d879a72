import { Type } from 'typebox'
import { PlainPageQuery } from '#shared/platform/schema.ts'
import { KeyErrors } from '#shared/stores/errors.ts'
import { listKeys } from '#shared/stores/find-key.ts'
import { issuePublishableKey } from '#shared/stores/issue-publishable-key.ts'
import { IssuedKeyView, PublishableKeyView, viewIssuedKey, viewKey } from '#shared/stores/key-view.ts'
import { revokeKey } from '#shared/stores/revoke-key.ts'
import { rotateKey } from '#shared/stores/rotate-key.ts'
import { superAdminOfStore } from '../platform/access.ts'
import { endpoint } from '../platform/endpoint.ts'
import { inCamelCase } from '../platform/read-fields.ts'
import { page } from '../platform/reply.ts'
import { createPublishableKey, revokePublishableKey, rotatePublishableKey } from '../stores/admin-keys.ts'
import { NewKeyBody, RotationBody } from '../stores/schemas.ts'
import { StoreKeyParams, StoreParams } from './schemas.ts'

const revoked = revokePublishableKey.example

export const listKeysOfStore = endpoint({
  method: 'get',
  path: '/super-admin/stores/:id/publishable-keys',
  access: superAdminOfStore,
  summary: "List a store's publishable keys, newest first",
  params: StoreParams,
  query: PlainPageQuery,
  paginated: true,
  returns: [200, Type.Array(PublishableKeyView)],
  example: { data: [revoked.data] },
  async handle({ tx, query }) {
    return page(await listKeys(tx, query), query, viewKey)
  },
})

export const createKeyOfStore = endpoint({
  method: 'post',
  path: '/super-admin/stores/:id/publishable-keys',
  access: superAdminOfStore,
  summary: 'Issue a publishable key of a store',
  params: StoreParams,
  body: NewKeyBody,
  returns: [201, IssuedKeyView],
  example: createPublishableKey.example,
  async handle({ tx, body }) {
    return viewIssuedKey(await issuePublishableKey(tx, inCamelCase(body)))
  },
})

export const rotateKeyOfStore = endpoint({
  method: 'post',
  path: '/super-admin/stores/:id/publishable-keys/:key_id/rotate',
  access: superAdminOfStore,
  summary: "Issue the successor of a store's publishable key",
  params: StoreKeyParams,
  body: RotationBody,
  returns: [201, IssuedKeyView],
  errors: [KeyErrors.notActive],
  example: rotatePublishableKey.example,
  async handle({ tx, params, body }) {
    return viewIssuedKey(await rotateKey(tx, params.key_id, body.overlap_seconds))
  },
})

export const revokeKeyOfStore = endpoint({
  method: 'post',
  path: '/super-admin/stores/:id/publishable-keys/:key_id/revoke',
  access: superAdminOfStore,
  summary: "Revoke a store's publishable key: the next request with it is refused",
  params: StoreKeyParams,
  returns: [200, PublishableKeyView],
  example: revoked,
  async handle({ tx, params }) {
    return viewKey(await revokeKey(tx, params.key_id))
  },
})
