import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { endpoints } from '#api/endpoints.ts'
import { isWebUrl } from '#shared/platform/http/web-url.ts'

/** URLs that a page may hold in an attribute, and texts that leave the attribute or lead elsewhere. */
const URLS = [
  'https://images.example/1.jpg',
  'https://cdn.example:8443/a/b%20c.jpg?v=1&w=2',
  'https://bücher.example/größe.png',
  'https://[2001:db8::1]/x.png',
]
const HOSTILE = [
  'https://a/x.png" onerror="alert(1)',
  'https://a/x.png"onerror="alert(1)',
  "https://a/x'onerror='alert(1)",
  'https://a/x.png><script>alert(1)</script>',
  'https://a/x.png`',
  'https://a\\b.example/',
  'https://a/x y.png',
  'https://a/x\u0000.png',
  'https://a/x\u202egnp.exe',
  'https://shop.example@evil.example/x.png',
  'https://',
  'https:///x.png',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '//evil.example/x.png',
]

/** Fields with a check of their own in the handler, or that no page shows. */
const CHECKED_ELSEWHERE: Record<string, string> = {
  'post /admin/webhooks url': 'checkUrlOfStore',
  'patch /admin/webhooks/:webhook_id url': 'checkUrlOfStore',
  'put /admin/remote/settings base_url': 'checkBaseUrl',
  'post /admin/identity-providers redirect_urls': 'parseRedirectUrl',
  'patch /admin/identity-providers/:provider_id redirect_urls': 'parseRedirectUrl',
  'post /marketing/track url': 'counted, never shown',
}

interface Field {
  name: string
  schema: TSchema
}

const IS_URL = /(^|_)urls?$|^image$|^website$|^logo$/

/** The URL fields of a schema, also of nested objects, lists and nullable parts. */
function* urlFields(schema: unknown, name = ''): Generator<Field> {
  const { properties, items, anyOf } = (schema ?? {}) as Record<string, unknown>
  for (const [property, inner] of Object.entries((properties ?? {}) as Record<string, TSchema>)) {
    const { type } = inner as { type?: unknown }
    const isText = [type].flat().includes('string')
    if (IS_URL.test(property) && (isText || type === 'array')) yield { name: property, schema: inner }
    else yield* urlFields(inner, property)
  }
  if (name === 'links' && properties)
    for (const [page, inner] of Object.entries(properties as Record<string, TSchema>))
      yield { name: page, schema: inner }
  if (items) yield* urlFields(items, name)
  for (const branch of (anyOf ?? []) as unknown[]) yield* urlFields(branch, name)
}

const ajv = new Ajv({ strict: false })
addFormats.default(ajv)

const fields = endpoints.flatMap(({ method, path, body }) =>
  [...urlFields(body)].map(({ name, schema }) => ({ field: `${method} ${path} ${name}`, schema })),
)

test('every URL of a request is a URL that leaves no attribute of a page', () => {
  const shown = fields.filter(({ field }) => !CHECKED_ELSEWHERE[field])
  const wrong = shown.flatMap(({ field, schema }) => {
    const accepts = ajv.compile(schema)
    return [
      ...HOSTILE.filter((text) => accepts(text)).map((text) => `${field} accepts ${text}`),
      ...URLS.filter((text) => !accepts(text)).map((text) => `${field} refuses ${text}`),
    ]
  })

  assert.deepEqual(wrong, [])
  assert.ok(shown.length > 8, shown.map(({ field }) => field).join('\n'))
})

test('the URLs that a file or another system brings are held to the same', () => {
  assert.deepEqual(HOSTILE.filter(isWebUrl), [])
  assert.deepEqual(
    URLS.filter((url) => !isWebUrl(url)),
    [],
  )
})

test('every exception still applies', () => {
  const known = new Set(fields.map(({ field }) => field))
  assert.deepEqual(
    Object.keys(CHECKED_ELSEWHERE).filter((field) => !known.has(field)),
    [],
  )
})
