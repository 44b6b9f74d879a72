import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import Router from '@koa/router'
import type { Context } from 'koa'
import { RequestErrors } from '#api/platform/errors.ts'
import { limitFiles } from '#api/platform/rate-limits/network-limits.ts'
import { CACHE_CONTROL, FILE_TYPE, FOLDER_PATH } from '#shared/images/files.ts'
import { SIZES } from '#shared/images/size.ts'
import { config } from '#shared/platform/config/config.ts'

const NAME = /^[\w-]{32}$/
const FILES: ReadonlySet<string> = new Set(SIZES.map((size) => `${size}.webp`))

/** Serves the files of images from the folder. With a bucket, the bucket serves them. */
export function imageRoutes(): Router {
  const router = new Router()
  router.get(`${FOLDER_PATH}/:name/:file`, sendFile)
  return router
}

async function sendFile(ctx: Context): Promise<void> {
  const [name, file] = [String(ctx.params.name), String(ctx.params.file)]
  const { IMAGES_DIR, S3_BUCKET } = config()
  if (S3_BUCKET || !NAME.test(name) || !FILES.has(file)) throw RequestErrors.notFound()
  await limitFiles(ctx)
  const path = resolve(IMAGES_DIR, name, file)
  const found = await stat(path).catch(() => null)
  if (!found) throw RequestErrors.notFound()
  ctx.set({
    'Cache-Control': CACHE_CONTROL,
    ETag: `"${name}"`,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'",
    'Cross-Origin-Resource-Policy': 'cross-origin',
  })
  ctx.type = FILE_TYPE
  ctx.status = 200
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  ctx.length = found.size
  ctx.body = createReadStream(path)
}
