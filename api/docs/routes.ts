import { hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import Router from '@koa/router'
import type { Context } from 'koa'
import { config } from '#shared/platform/config/config.ts'
import { DAY_MS, inMs } from '#shared/platform/time/clock.ts'
import { PAGE, STARTER } from './page.ts'

const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
/** Only these files of the package are served. */
const ASSETS = new Set(['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'])
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; form-action " +
  "'self'"
const YEAR_MS = 365 * DAY_MS

interface Description {
  bytes: Buffer
  etag: string
}

let description: Promise<Description> | undefined

/**
 * Returns the API description as one shared buffer. It is large, and otherwise each slow reader would keep a copy in
 * memory.
 */
const readDescription = (): Promise<Description> => {
  description ??= readFile(join(import.meta.dirname, '../openapi.json')).then((bytes) => ({
    bytes,
    etag: `"${hash('sha1', bytes, 'base64url')}"`,
  }))
  return description
}

async function sendDescription(ctx: Context): Promise<void> {
  const { bytes, etag } = await readDescription()
  ctx.set('Access-Control-Allow-Origin', '*')
  ctx.set('Cache-Control', 'public, max-age=300')
  ctx.set('ETag', etag)
  ctx.status = 200
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  ctx.type = 'application/json'
  ctx.body = bytes
}

/** Serves the API description, and a page to read and try it. The page loads nothing from other hosts. */
export function docsRoutes(): Router {
  const router = new Router()
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
    ctx.body =
      `Contact: mailto:security@${new URL(config().PUBLIC_URL).hostname}\nExpires: ` +
      `${inMs(YEAR_MS).toISOString()}\n`
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
