import Koa, { type Context } from 'koa'
import { docsRoutes } from '#api/docs/routes.ts'
import { imageRoutes } from '#api/images/routes.ts'
import { linkedPageRoutes } from '#api/linked-pages/routes.ts'
import { refuseMisplacedKeys } from '#api/platform/auth/resolve-store.ts'
import { RequestErrors } from '#api/platform/errors.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import { answerErrors } from '#api/platform/output/error-reply.ts'
import { endAbandonedReads } from '#api/platform/pipeline/abandoned-reads.ts'
import { allowKnownOrigins, answerPreflights } from '#api/platform/pipeline/cors.ts'
import { healthRoutes } from '#api/platform/pipeline/health.ts'
import { operationRoutes } from '#api/platform/pipeline/operation-routes.ts'
import { guardRequest, ignoreForwardedHost } from '#api/platform/pipeline/request-guard.ts'
import { logLateError, logRequests } from '#api/platform/pipeline/request-log.ts'
import { limitPages } from '#api/platform/rate-limits/network-limits.ts'
import { config } from '#shared/platform/config/config.ts'
import { failFastWhenDown } from '#shared/platform/db/database-probe.ts'
import { endpoints } from './endpoints.ts'

/** Creates the web application. Middleware runs in this sequence. */
export function createApp(operations: readonly Operation[] = endpoints): Koa {
  const app = new Koa({ proxy: config().TRUST_PROXY })
  app.on('error', logLateError)
  app.use(ignoreForwardedHost)
  app.use(logRequests)
  app.use(allowKnownOrigins)
  app.use(answerErrors)
  app.use(guardRequest)
  app.use(answerPreflights)
  app.use(refuseMisplacedKeys)
  app.use(healthRoutes())
  app.use(endAbandonedReads)
  app.use((_, next) => failFastWhenDown(next))
  app.use(operationRoutes(operations))
  app.use(imageRoutes().routes())
  app.use(async (ctx, next) => {
    await limitPages(ctx)
    await next()
  })
  app.use(docsRoutes().routes())
  app.use(linkedPageRoutes().routes())
  app.use(refuseUnknown)
  return app
}

/** Throws 405 if the path exists with other methods, else 404. */
async function refuseUnknown(ctx: Context): Promise<void> {
  const layers = (ctx.matched ?? []) as { methods: string[] }[]
  const allow = [...new Set(layers.flatMap((layer) => layer.methods))].join(', ')
  throw allow ? RequestErrors.methodNotAllowed({ allow }) : RequestErrors.notFound()
}
