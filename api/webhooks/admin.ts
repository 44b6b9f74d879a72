import { listQuery } from '#api/platform/input/list-query.ts'
import '#shared/all-events.ts'
import { staff, staffNotSupport } from '#api/platform/auth/access.ts'
import { memberIdOf } from '#api/platform/auth/callers.ts'
import { toCamelCase } from '#api/platform/input/request-fields.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { checkUrlOfStore } from '#shared/webhooks/check-webhook-url.ts'
import { createWebhook as create } from '#shared/webhooks/create-webhook.ts'
import { deleteWebhook as remove } from '#shared/webhooks/delete-webhook.ts'
import { WebhookErrors } from '#shared/webhooks/errors.ts'
import { listWebhooks as list, WEBHOOKS } from '#shared/webhooks/list-webhooks.ts'
import { assertMayReceive } from '#shared/webhooks/readable-events.ts'
import { rotateSecret } from '#shared/webhooks/rotate-secret.ts'
import { updateWebhook as update } from '#shared/webhooks/update-webhook.ts'
import { viewWebhook, WebhookView, WebhookWithSecretView } from '#shared/webhooks/view.ts'
import { findWebhook } from '#shared/webhooks/webhook.ts'
import { CreateWebhookRequest, UpdateWebhookRequest, WebhookParams } from './schemas.ts'

const urlErrors = [WebhookErrors.urlInvalid, WebhookErrors.urlHttpsRequired, WebhookErrors.urlNotPublic]

const example = {
  id: '0199d1f0-5b7e-7c3a-9a51-2f6f0c7d9e10',
  url: 'https://hooks.example.com/commerce',
  events: ['order.*'],
  description: 'Warehouse',
  is_active: true,
  disabled_reason: null,
  failing_since: null,
  created_by: '0199d1f0-5b7e-7c3a-9a51-2f6f0c7d9e12',
  created_at: '2026-10-10T08:00:00.000Z',
  updated_at: '2026-10-10T08:00:00.000Z',
}
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='

const webhooks = new Resource({
  path: '/admin/webhooks',
  audit: { resource: 'webhooks', delete: 'deleteAdminWebhooksWebhookId' },
  params: WebhookParams,
  reads: staff('system:read'),
  writes: staffNotSupport('system:write'),
  returns: WebhookView,
  view: viewWebhook,
  tag: entityTag,
  example,
})

export const createWebhook = endpoint({
  method: 'post',
  path: '/admin/webhooks',
  access: staffNotSupport('system:write'),
  audit: { action: 'postAdminWebhooks', resource: 'webhooks' },
  // The DNS lookup runs before the transaction.
  transaction: 'manual',
  recentSignIn: true,
  summary: 'Create a webhook: a URL that events are sent to',
  description:
    'Messages are signed by the Standard Webhooks specification. Only this response and that of a rotation show the ' +
    'secret. It needs the right to read the area of each of its events, e.g. `sales:read` for `order.*`; `*` needs ' +
    'all.',
  body: CreateWebhookRequest,
  returns: [201, WebhookWithSecretView],
  errors: [...urlErrors, WebhookErrors.limitReached],
  example: {
    body: { url: example.url, events: example.events, description: example.description },
    data: { ...example, secret },
  },
  async handle({ store, staff, body, unitOfWork }) {
    assertMayReceive(staff, body.events)
    const url = await checkUrlOfStore(store.id, body.url)
    return unitOfWork.inStore(store.id, async (tx) => {
      const created = await create(tx, memberIdOf(staff), { ...toCamelCase(body), url })
      return { ...viewWebhook(created.webhook), secret: created.secret }
    })
  },
})

export const listWebhooks = webhooks.list({
  summary: 'List the webhooks',
  query: listQuery(WEBHOOKS),
  handle: ({ tx, query }) => list(tx, query),
})

export const readWebhook = webhooks.read({
  summary: 'Read a webhook',
  handle: ({ tx, params }) => findWebhook(tx, params.webhook_id),
})

export const updateWebhook = endpoint({
  method: 'patch',
  path: '/admin/webhooks/:webhook_id',
  access: staffNotSupport('system:write'),
  audit: { action: 'patchAdminWebhooksWebhookId', resource: 'webhooks' },
  // The DNS lookup runs before the transaction.
  transaction: 'manual',
  recentSignIn: true,
  summary: 'Change, enable or disable a webhook',
  params: WebhookParams,
  body: UpdateWebhookRequest,
  returns: [200, WebhookView],
  errors: [CommonErrors.notFound, CommonErrors.changed, ...urlErrors],
  example: { body: { is_active: false }, data: { ...example, is_active: false } },
  async handle({ params, body: { url, ...rest }, ifMatch, unitOfWork, ...call }) {
    const { store, staff } = call
    const checked = url === undefined ? {} : { url: await checkUrlOfStore(store.id, url) }
    const options = { ifMatch, actorId: memberIdOf(staff), by: staff }
    return unitOfWork.inStore(store.id, async (tx) => {
      const changed = await update(tx, params.webhook_id, { ...toCamelCase(rest), ...checked }, options)
      return webhooks.replyWith(200, changed, call)
    })
  },
})

export const deleteWebhook = webhooks.delete({
  summary: 'Delete a webhook',
  handle: ({ tx, params }) => remove(tx, params.webhook_id),
})

export const rotateWebhookSecret = endpoint({
  method: 'post',
  path: '/admin/webhooks/:webhook_id/rotate-secret',
  access: staffNotSupport('system:write'),
  audit: { action: 'postAdminWebhooksWebhookIdRotateSecret', resource: 'webhooks' },
  recentSignIn: true,
  summary: 'Rotate the signing secret of a webhook',
  description:
    'For 24 hours, messages have two signatures: of the new secret and of the previous one. ' +
    'It needs the right to read the areas of its events.',
  params: WebhookParams,
  returns: [200, WebhookWithSecretView],
  errors: [CommonErrors.notFound],
  example: { data: { ...example, secret } },
  async handle({ tx, staff, params }) {
    const rotated = await rotateSecret(tx, params.webhook_id, staff)
    return { ...viewWebhook(rotated.webhook), secret: rotated.secret }
  },
})
