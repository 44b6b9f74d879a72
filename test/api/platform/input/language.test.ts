import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import type { Context } from 'koa'
import { createApp } from '#api/app.ts'
import { languageOf } from '#api/platform/input/language.ts'
import type { TenantContext } from '#shared/stores/find-store.ts'

const tenant = {
  store: { languages: ['en', 'de', 'fr'], defaultLanguage: 'en' },
} as unknown as TenantContext

const app = createApp([])
const read = (header: string) => {
  const request = { headers: { 'accept-language': header }, socket: {} }
  return languageOf(app.createContext(request as never, {} as never) as Context, tenant)
}

test('a response uses the language of the store that Accept-Language prefers, else the default language', () => {
  assert.equal(read('fr;q=0.5, de-AT'), 'de')
  assert.equal(read('it'), 'en')
  assert.equal(read(''), 'en')
})

test('a header of more than 1,000 characters is ignored', () => {
  const filler = ', x'.repeat(332)

  assert.equal(read(`de${filler}`), 'de')
  assert.equal(read(`de${filler}${filler}`), 'en')
})
