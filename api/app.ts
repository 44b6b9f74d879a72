import Koa, { type Context } from 'koa'
import { config } from '#shared/platform/config.ts'
import { docsRoutes } from './docs/routes.ts'
import { endpoints } from './endpoints.ts'
import { pageRoutes } from './pages/routes.ts'
import type { Operation } from './platform/endpoint.ts'
import { answerErrors } from './platform/error-reply.ts'
import { RequestErrors } from './platform/errors.ts'
import { healthRoutes } from './platform/health.ts'
import { operationRoutes } from './platform/operation-routes.ts'
import { answerPreflights, shareAnswers } from './platform/origins.ts'
import { guardRequest } from './platform/request-guard.ts'
import { logRequests } from './platform/request-log.ts'
import { refuseMisplacedKeys } from './platform/resolve-store.ts'

/** The web application. What stands first sees every request first. */
export function createApp(operations: readonly Operation[] = endpoints): Koa {
  const app = new Koa({ proxy: config().TRUST_PROXY, maxIpsCount: config().PROXY_HOPS })
  app.use(logRequests)
  app.use(shareAnswers)
  app.use(answerErrors)
  app.use(guardRequest)
  app.use(answerPreflights)
  app.use(refuseMisplacedKeys)
  app.use(operationRoutes(operations))
  app.use(healthRoutes().routes())
  app.use(docsRoutes().routes())
  app.use(pageRoutes().routes())
  app.use(refuseUnknown)
  return app
}

/** 405 where the address exists under other methods, else 404. */
async function refuseUnknown(ctx: Context): Promise<void> {
  const layers = (ctx.matched ?? []) as { methods: string[] }[]
  const allow = [...new Set(layers.flatMap((layer) => layer.methods))].join(', ')
  throw allow ? RequestErrors.methodNotAllowed({ allow }) : RequestErrors.notFound()
}
