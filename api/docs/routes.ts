import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import Router from '@koa/router'
import type { Context } from 'koa'
import { endpoints } from '#api/endpoints.ts'
import { config } from '#shared/platform/config/config.ts'
import { DAY_MS, inMs } from '#shared/platform/time/clock.ts'
import { describeApi } from './describe.ts'
import { PAGE, STARTER } from './page.ts'

const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
/** The only files of the package that are served. */
const ASSETS = new Set(['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'])
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; form-action 'self'"
const YEAR_MS = 365 * DAY_MS

/** The API description, and a page to read and try it. The page loads nothing from other hosts. */
export function docsRoutes(): Router {
  const router = new Router()
  // Created by the first request.
  let description: string | undefined
  const sendDescription = (ctx: Context) => {
    description ??= JSON.stringify(describeApi(endpoints))
    ctx.type = 'application/json'
    ctx.set('Access-Control-Allow-Origin', '*')
    ctx.body = description
  }
  router.get('/openapi.json', sendDescription)
  router.get('/api/v1/openapi.json', sendDescription)
  router.get('/docs', (ctx) => {
    ctx.set('Content-Security-Policy', CONTENT_SECURITY_POLICY)
    ctx.type = 'html'
    ctx.body = PAGE
  })
  router.get('/docs/start.js', (ctx) => {
    ctx.type = 'js'
    ctx.body = STARTER
  })
  router.get('/docs/:asset', sendAsset)
  router.get('/.well-known/security.txt', (ctx) => {
    ctx.type = 'text/plain'
    ctx.body = `Contact: mailto:security@${new URL(config().PUBLIC_URL).hostname}\nExpires: ${inMs(YEAR_MS).toISOString()}\n`
  })
  return router
}

async function sendAsset(ctx: Context, next: () => Promise<void>): Promise<void> {
  const asset = String(ctx.params.asset)
  if (!ASSETS.has(asset)) return next()
  ctx.type = extname(asset)
  ctx.set('Cache-Control', 'public, max-age=86400')
  ctx.body = createReadStream(join(swaggerUi, asset))
}
