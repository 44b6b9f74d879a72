import Router from '@koa/router'
import type { Context, Middleware, Next } from 'koa'
import type { Operation } from '#api/platform/operation/operation.ts'
import { serveOperation } from './serve-operation.ts'

const PREFIX = '/api/v1'
// The router matches paths in any case.
const RESOURCE = /^\/api\/v1\/((?:(?:super-)?admin\/)?[^/]+)/i

/**
 * Mounts operations with one router per resource (`products`, `admin/orders`). A router tries its routes one after the
 * other, so with a single router every request would try the routes of the whole service.
 */
export function operationRoutes(operations: readonly Operation[]): Middleware {
  const routers = new Map<string, Middleware>()
  for (const [resource, group] of Map.groupBy(operations, ({ path }) => resourceOf(PREFIX + path)))
    routers.set(resource, routerOf(group, operations).routes() as Middleware)
  return (ctx: Context, next: Next) => {
    const route = routers.get(resourceOf(ctx.path))
    return route ? route(ctx, next) : next()
  }
}

const resourceOf = (path: string): string => RESOURCE.exec(path)?.[1]?.toLowerCase() ?? ''

function routerOf(operations: readonly Operation[], all: readonly Operation[]): Router {
  const router = new Router({ prefix: PREFIX })
  for (const operation of operations) router[operation.method](operation.path, serveOperation(operation, all))
  return router
}
