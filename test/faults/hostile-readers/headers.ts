import type { IncomingMessage, ServerResponse } from 'node:http'
import Koa, { type Context } from 'koa'
import { endpoints } from '#api/endpoints.ts'
import { assertRecent } from '#api/payments/stripe-signature.ts'
import { bearerOf, orderTokenOf } from '#api/platform/auth/authenticate.ts'
import { plainAddress } from '#api/platform/auth/client-address.ts'
import { inputReader } from '#api/platform/input/input.ts'
import { languageOf } from '#api/platform/input/language.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import { wantsCsv } from '#api/platform/output/send-csv.ts'
import { loggedPath } from '#api/platform/pipeline/logged-path.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import type { TenantContext } from '#shared/stores/find-store.ts'
import { parseOrigin } from '#shared/stores/publishable-keys/origin.ts'
import { HEAD, list, ofText } from './reader.ts'

const koa = new Koa()
const contextOf = (headers: Record<string, string>): Context =>
  koa.createContext({ headers } as unknown as IncomingMessage, {} as ServerResponse) as unknown as Context

const LANGUAGES = list(30, (n) => `x${String.fromCharCode(97 + n)}`)
const TENANT = { store: { languages: LANGUAGES, defaultLanguage: 'en' } } as unknown as TenantContext

export const HEADERS = [
  ...ofText('Accept', HEAD, ['"', 'a/a,', '"a,', ';q="'], (accept) => wantsCsv(contextOf({ accept }))),
  ...ofText('Accept-Language', HEAD, ['a,', 'en-', ' '], (text) =>
    languageOf(contextOf({ 'accept-language': text }), TENANT),
  ),
  ...ofText('If-Match', HEAD, ['"a",', ' '], (tags) => assertUnchanged({ updatedAt: new Date(0) }, tags)),
  ...ofText('Authorization', HEAD, ['Bearer ', ' ', 'a.'], (authorization) =>
    bearerOf(contextOf({ authorization })),
  ),
  ...ofText('X-Forwarded-For', HEAD, ['1.', ':', '[', ' '], plainAddress),
  ...ofText('Origin', HEAD, ['a.', '/', ':', '@'], parseOrigin),
  ...ofText('Stripe-Signature', HEAD, ['v1=,', 't=,'], assertRecent),
  ...ofText('the logged path', HEAD, ['/', '/a', 'voucher/', '%41'], loggedPath),
]

const listProducts = endpoints.find(
  ({ method, path }) => method === 'get' && path === '/products',
) as Operation
const readInput = inputReader(listProducts)

export const QUERIES = [
  ...ofText('the query', HEAD, ['a&', 'attribute&', 'attribute=,&', ',', '%41', '+'], (querystring) =>
    readInput({ params: {}, querystring } as unknown as Context),
  ),
  ...ofText('the token of an order', HEAD, ['a&', 'access_token&', '%41', '+'], (querystring) =>
    orderTokenOf({ querystring }),
  ),
]
